// Unpacks the package of a function, within the limits of Lambda.
import { once } from 'node:events'
import { chmodSync, createWriteStream, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { fromBuffer } from 'yauzl'
import { serviceError } from '../service.mjs'

/** Most bytes of a package, unpacked. */
export const MAX_UNZIPPED_BYTES = 262_144_000

const LINK = 0o120000
const KIND = 0o170000

const text = async (stream) => {
  const chunks = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/**
 * Unpacks a zip with the permissions that it gives, as Lambda does: a file that others may not read cannot be read.
 * @param {Buffer} bytes
 * @param {string} folder
 * @returns {Promise<number>} bytes of the files
 */
export const unpackPackage = async (bytes, folder) => {
  const zip = await promisify(fromBuffer)(bytes, { lazyEntries: true }).catch(() => {
    throw serviceError(
      'InvalidParameterValueException',
      'Could not unzip uploaded file. Please check your file, then try to upload again.',
    )
  })
  const open = promisify(zip.openReadStream.bind(zip))
  mkdirSync(folder, { recursive: true })
  let total = 0
  const unpack = async (entry) => {
    const path = join(folder, entry.fileName)
    const mode = entry.externalFileAttributes >>> 16
    total += entry.uncompressedSize
    if (total > MAX_UNZIPPED_BYTES)
      throw serviceError(
        'InvalidParameterValueException',
        `Unzipped size must be smaller than ${MAX_UNZIPPED_BYTES} bytes`,
      )
    if (entry.fileName.endsWith('/')) return void mkdirSync(path, { recursive: true })
    mkdirSync(dirname(path), { recursive: true })
    const stream = await open(entry)
    if ((mode & KIND) === LINK) return symlinkSync(await text(stream), path)
    await pipeline(stream, createWriteStream(path))
    chmodSync(path, mode & 0o777 || 0o644)
  }
  const failed = new Promise((_, reject) => {
    zip.on('error', reject)
    zip.on('entry', (entry) => unpack(entry).then(() => zip.readEntry(), reject))
  })
  zip.readEntry()
  await Promise.race([once(zip, 'end'), failed])
  return total
}
