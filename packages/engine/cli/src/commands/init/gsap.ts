import type { FolderFiles } from '../../new-folder.ts'

const ADDRESS = /https?:\/\/[^\s"'`<>\\)]+/g

/** A version, a range or a tag: no address, no path and no other package. */
const RANGE = /^[\w.^~*<>=| -]+$/

/** Rules of `.vidignore` that send GSAP along with the project: no render server and no cloud has a copy. */
export const gsapRules = [
  '!node_modules',
  'node_modules/*',
  '!node_modules/gsap',
  '!node_modules/gsap/dist',
  'node_modules/gsap/**/*.map',
] as const

/**
 * The version of GSAP that these texts load from a CDN, as package.json states it; undefined where none does. GSAP does
 * not come with vid, so a project that loads it has to install it.
 */
export const gsapVersion = async (texts: Iterable<string>): Promise<string | undefined> => {
  const { parseLibraryAddress, plainRange } = await import('@vid/assets')
  for (const text of texts)
    for (const [url] of text.matchAll(ADDRESS)) {
      const address = parseLibraryAddress(url.replaceAll('&amp;', '&'))
      if (address?.name !== 'gsap') continue
      const range = plainRange(address.version ?? 'latest')
      return RANGE.test(range) ? range : 'latest'
    }
  return undefined
}

const PAGE = /\.(?:html?|m?js)$/i

/** The version of GSAP that the pages and scripts among some files load. */
export const gsapVersionOf = (files: FolderFiles): Promise<string | undefined> =>
  gsapVersion(
    Object.entries(files)
      .filter(([path]) => PAGE.test(path))
      .map(([, content]) => (typeof content === 'object' && 'copyOf' in content ? '' : content.toString())),
  )
