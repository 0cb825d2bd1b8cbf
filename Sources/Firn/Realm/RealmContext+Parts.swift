import FirnStore

extension RealmContext {
    /// Runs a block as a part of the open write, which is kept or dropped by itself.
    ///
    /// No object outlives the part in which it was found. Where the environment fails, the write is lost, and so is each further part.
    func part<Result>(_ block: () throws -> Result) throws -> Result {
        var whole = openWrite
        writeSerial &+= 1
        openWrite = OpenWrite(endsByItself: true)
        defer {
            openWrite = whole
            invalidateObjects()
        }
        do {
            try connection.beginPart()
            let result: Result
            do {
                result = try block()
                synchronizePlain()
                try checkPoison()
            } catch {
                connection.dropPart()
                throw error
            }
            try connection.keepPart()
            whole?.quiet += openWrite?.quiet ?? []
            return result
        } catch let error as StoreError {
            throw Realm.Error(error, fileURL: fileURL)
        }
    }

    /// No object that was found until now is valid any more.
    func invalidateObjects() {
        identity.invalidateAll()
        generation &+= 1
        plainObjects.releaseHeld()
    }
}
