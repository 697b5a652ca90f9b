// What an input may not leave: a change outside its folders, a file that was read, a connection.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

/** Every path below a folder; files with the digest of their content. */
export const listing = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const file = join(entry.parentPath, entry.name)
      return entry.isFile() ? `${file} ${createHash('sha256').update(readFileSync(file)).digest('hex')}` : `${file}/`
    })
    .sort()

/** Entries of the second listing that the first has not, and the other way round. */
export const listingChanges = (before, after) => [
  ...after.filter((line) => !before.includes(line)).map((line) => `new or changed: ${line}`),
  ...before.filter((line) => !after.includes(line)).map((line) => `gone or changed: ${line}`),
]

const EPOCH = 1000

/** A file that nobody may read; its access time shows whether somebody did. */
export const createSecret = (file, bytes) => {
  writeFileSync(file, bytes)
  const hide = () => utimesSync(file, EPOCH, EPOCH + 1)
  const wasRead = () => statSync(file).atimeMs !== EPOCH * 1000
  hide()
  readFileSync(file)
  const isSeen = wasRead()
  hide()
  return {
    /** False where the file system records no reading. */
    isSeen,
    /** What happened to it since the last call. */
    check: () => {
      const { atimeMs, mtimeMs } = statSync(file)
      hide()
      if (mtimeMs !== (EPOCH + 1) * 1000) return 'was changed'
      return isSeen && atimeMs !== EPOCH * 1000 ? 'was read' : undefined
    },
  }
}

/** A port of this machine that nobody may connect to. */
export const openCanary = async () => {
  let visits = 0
  const server = createServer((socket) => {
    visits += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return { host: `127.0.0.1:${server.address().port}`, visits: () => visits, close: () => server.close() }
}
