import { readFile } from 'node:fs/promises'
import type { VidError, Warning } from '@vid/kernel'
import { digestOf } from '../inputs/digest.ts'
import { digestAsset } from '../inputs/file-digest.ts'
import type { InputLog } from '../inputs/input-log.ts'
import type { RemoteAsset } from '../remote/remote-download.ts'
import { resolveLibrary } from './bundled-library.ts'
import { readAddress } from './library-address.ts'
import { findOwnLibrary } from './library-own.ts'
import { installHint, otherVersionWarning } from './library-warnings.ts'

/** What a page is given for a known CDN address without the network. */
export type LibraryAnswer = { readonly redirect: string } | { readonly asset: RemoteAsset }

/** Makes the answer to CDN addresses: what the project has installed itself goes first, then the shelf. */
export const createLibraryAnswer =
  (options: { readonly projectDir: string; readonly inputs: InputLog; warn(warning: Warning): void }) =>
  async (url: string): Promise<LibraryAnswer | undefined> => {
    const { projectDir, inputs, warn } = options
    const { looked, found } = await findOwnLibrary(projectDir, url)
    for (const path of looked) inputs.read(path, await digestAsset(projectDir, path))
    const library = found ?? resolveLibrary(url)
    if (library === undefined || 'redirect' in library) return library
    if ('other' in library && library.other) warn(otherVersionWarning(library.other))
    const body = await readFile(library.path)
    if ('source' in library) inputs.read(library.source, digestOf(body))
    // The page is of another origin than the address: modules and `crossorigin` need to be told that it may read.
    return { asset: { contentType: library.contentType, allowOrigin: '*', body } }
  }

/** The warning for a file at another address that cannot be had; of a package, it tells how to install it. */
export const remoteWarning = (url: string, { code, message, hint }: VidError): Warning => {
  const address = readAddress(url)
  return { code, message, hint: address ? installHint(address.name, address.version) : hint }
}
