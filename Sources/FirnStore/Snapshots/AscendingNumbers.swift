/// Numbers in ascending order, searched by interpolation: where they are evenly spread, as dense keys and random ones are, the
/// first guess is a few places off at most, and one look replaces ten or more of a search by halves.
struct AscendingNumbers: Sendable {
    private let numbers: [UInt64]
    /// Places for each number between the first one and the last.
    private let density: Double

    init(_ numbers: [UInt64]) {
        self.numbers = numbers
        if let first = numbers.first, let last = numbers.last, last > first {
            density = Double(numbers.count - 1) / Double(last - first)
        } else {
            density = 0
        }
    }

    subscript(index: Int) -> UInt64 { numbers[index] }

    /// The position of the first one that is not below a number; their count where all are. O(1) where they are evenly spread,
    /// never worse than O(log count).
    func firstIndex(notBelow number: UInt64) -> Int {
        numbers.withUnsafeBufferPointer { numbers in
            let count = numbers.count
            guard count > 0, number > numbers[0] else { return 0 }
            if number > numbers[count - 1] { return count }
            // The position lies in low...high, at which the number is not below.
            var low: Int
            var high: Int
            let guess = min(Int(Double(number - numbers[0]) * density), count - 1)
            var step = 1
            if numbers[guess] >= number {
                high = guess
                while high - step > 0, numbers[high - step] >= number {
                    high -= step
                    step *= 2
                }
                low = max(high - step, 0)
            } else {
                low = guess + 1
                while low + step < count, numbers[low + step] < number {
                    low += step + 1
                    step *= 2
                }
                high = min(low + step, count - 1)
            }
            while low < high {
                let middle = (low + high) / 2
                if numbers[middle] < number { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }
}
