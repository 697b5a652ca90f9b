import { readFile } from 'node:fs/promises'
import type { VidError, Warning } from '@vid/kernel'
import { fontHint } from '../fonts/font-hint.ts'
import { answerFontAddress } from '../fonts/google-fonts.ts'
import { digestOf } from '../inputs/digest.ts'
import { digestAsset } from '../inputs/file-digest.ts'
import type { InputLog } from '../inputs/input-log.ts'
import type { RemoteAsset } from '../remote/remote-download.ts'
import { assetWarning } from '../warnings.ts'
import { resolveLibrary } from './bundled-library.ts'
import { installHint } from './install-hint.ts'
import { parseLibraryAddress } from './library-address.ts'
import { findProjectLibrary } from './project-library.ts'

/** The answer to a CDN address, made without the network. */
export type LibraryAnswer = { readonly redirect: string } | { readonly asset: RemoteAsset }

/**
 * Answers CDN addresses from the packages that the project has installed itself, else from the bundled libraries, and
 * those of Google Fonts from font packages.
 */
export const createLibraryAnswer =
  (options: { readonly projectDir: string; readonly inputs: InputLog; warn(warning: Warning): void }) =>
  async (url: string): Promise<LibraryAnswer | undefined> => {
    const { projectDir, inputs, warn } = options
    const { checked, found } = await findProjectLibrary(projectDir, url)
    for (const path of checked) inputs.read(path, await digestAsset(projectDir, path))
    const font = found ? undefined : await answerFontAddress(projectDir, url)
    if (font) {
      inputs.read(url, digestOf(font.body))
      return { asset: font }
    }
    const library = found ?? resolveLibrary(url)
    if (library === undefined || 'redirect' in library) return library
    if ('other' in library && library.other) warn(assetWarning('VID_LIBRARY_VERSION', library.other))
    const body = await readFile(library.path)
    if ('source' in library) inputs.read(library.source, digestOf(body))
    // The page has another origin than the address: without this header, modules and `crossorigin` elements fail.
    return { asset: { contentType: library.contentType, allowOrigin: '*', body } }
  }

/** The warning for an address that cannot be fetched; for a package or a font, its hint is how to install it. */
export const remoteWarning = (url: string, { code, message, hint }: VidError): Warning => {
  const address = parseLibraryAddress(url)
  return {
    code,
    message,
    hint: address ? installHint(address.name, address.version) : (fontHint(url) ?? hint),
  }
}
