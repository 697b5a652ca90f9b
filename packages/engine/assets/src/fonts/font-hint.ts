import { fontPackageName, POPULAR_FONTS } from './font-package.ts'
import { parseFontAddress } from './google-address.ts'

/** How to have families without the network. */
export const installFonts = (families: readonly string[]): string =>
  `Run "npm install ${[...new Set(families.map(fontPackageName))].join(' ')}" in the project's folder, or install ${POPULAR_FONTS}, which has the twenty families that are used most.`

/** How to have the families of an address of Google Fonts without the network; undefined for any other address. */
export const fontHint = (url: string): string | undefined => {
  const { requests = [] } = parseFontAddress(url) ?? {}
  return requests.length === 0 ? undefined : installFonts(requests.map(({ family }) => family))
}
