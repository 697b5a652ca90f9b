import { readFile } from 'node:fs/promises'
import type { PluginWarning } from '@vid/kernel'
import type { VidError, Warning } from '@vid/protocol'
import { digestOf } from '@vid/system'
import { fontHint } from '../fonts/font-hint.ts'
import { answerFontAddress } from '../fonts/google-fonts.ts'
import { digestAsset } from '../inputs/file-digest.ts'
import type { InputLog } from '../inputs/input-log.ts'
import { installHint } from '../install-hint.ts'
import { resolveLibrary } from '../libraries/bundled-library.ts'
import { parseLibraryAddress } from '../libraries/library-address.ts'
import { findProjectLibrary } from '../libraries/project-library.ts'
import { isCompatible, type OtherVersion } from '../library-version.ts'
import type { RemoteAsset } from '../remote/remote-download.ts'
import { assetWarning } from '../warnings.ts'

/** The answer to a CDN address, made without the network. */
export type LibraryAnswer = { readonly redirect: string } | { readonly asset: RemoteAsset }

/** What answers to CDN addresses are made from, and where they are reported. */
export interface LibrarySources {
  /** Absolute folder of the composition. */
  readonly projectDir: string
  readonly inputs: InputLog
  warn(warning: Warning): void
  /** Receives notes that need no action; optional. */
  readonly note?: ((reason: string) => void) | undefined
}

/** Reports that the served version differs from the requested one: as a warning where it may behave differently. */
const reportOther = (other: OtherVersion, { warn, note }: LibrarySources): void => {
  const warning = assetWarning('VID_LIBRARY_VERSION', other)
  if (isCompatible(other)) note?.(warning.message)
  else warn(warning)
}

/**
 * Answers CDN addresses from the packages that the project has installed itself, else from the bundled libraries, and
 * those of Google Fonts from font packages.
 */
export const createLibraryAnswer =
  (options: LibrarySources) =>
  async (url: string): Promise<LibraryAnswer | undefined> => {
    const { projectDir, inputs } = options
    const { checkedPaths, answer: projectLibrary } = await findProjectLibrary(projectDir, url)
    for (const path of checkedPaths) inputs.read(path, await digestAsset(projectDir, path))
    const font = projectLibrary ? undefined : await answerFontAddress(projectDir, url)
    if (font) {
      inputs.read(url, digestOf(font.body))
      return { asset: font }
    }
    const library = projectLibrary ?? resolveLibrary(url)
    if (library === undefined || 'redirect' in library) return library
    if ('other' in library && library.other) reportOther(library.other, options)
    const body = await readFile(library.path)
    if (projectLibrary && 'source' in projectLibrary) inputs.read(projectLibrary.source, digestOf(body))
    // The page has another origin than the address: without this header, modules and `crossorigin` elements fail.
    return { asset: { contentType: library.contentType, allowOrigin: '*', body } }
  }

/**
 * The warning for an address that cannot be fetched, one of the group of its host; for a package or a font, its hint is
 * how to install it.
 */
export const remoteWarning = (url: string, { code, message, hint }: VidError): PluginWarning => {
  const address = parseLibraryAddress(url)
  const advice = address ? installHint(address.name, address.version) : fontHint(url)
  return {
    code,
    message,
    hint: advice ?? hint,
    severity: 'error',
    // Each package and font has its own remedy, and each address that the network setting refuses.
    ...(advice === undefined &&
      code === 'VID_REMOTE_FAILED' && { group: `files of ${new URL(url).host} that could not be fetched` }),
  }
}
