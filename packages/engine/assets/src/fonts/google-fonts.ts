import { parseLibraryAddress } from '../libraries/library-address.ts'
import { meetsRange, plainRange } from '../library-version.ts'
import type { RemoteAsset } from '../remote/remote-download.ts'
import { contentTypeOf } from '../server/content-type.ts'
import { bundledFamilies } from './bundled-families.ts'
import { type FontPackage, findFamilyPackage, findFontPackage, readFontFile } from './font-package.ts'
import { addressOfFamily, type FontRequest, type FontWeights, parseFontAddress } from './google-address.ts'

const BUNDLED: ReadonlySet<string> = new Set(bundledFamilies.map(({ family }) => family.toLowerCase()))

/** Weights that packages have files for. */
const WEIGHTS = [100, 200, 300, 400, 500, 600, 700, 800, 900]

/** Sheets of a variable package that have the asked axes, the best first. */
const variableSheets = ({ axes }: FontRequest, italic: boolean): string[] => {
  const names = axes.length > 0 ? ['full', ...axes, 'standard', 'wght'] : ['wght', 'standard', 'full']
  return names.map((name) => `${name}${italic ? '-italic' : ''}.css`)
}

const staticSheets = (italic: boolean, [from, to]: FontWeights): string[] =>
  WEIGHTS.filter((weight) => weight >= from && weight <= to).map((weight) => `${weight}${italic ? '-italic' : ''}.css`)

const textOf = async (carrier: FontPackage, file: string) => (await readFontFile(carrier, file))?.toString('utf8')

/** The sheets of a package for each asked style, with the weights that they stand for. */
const sheetsOf = async (carrier: FontPackage, request: FontRequest): Promise<string[]> => {
  const sheets: string[] = []
  for (const { italic, weights } of request.faces) {
    if (!carrier.isVariable) {
      for (const file of staticSheets(italic, weights)) sheets.push((await textOf(carrier, file)) ?? '')
      continue
    }
    for (const file of variableSheets(request, italic)) {
      const text = await textOf(carrier, file)
      if (text === undefined) continue
      // As Google Fonts does: each asked weight alone, so that the page's other weights are chosen from these.
      const [from, to] = weights
      sheets.push(text.replaceAll(/font-weight:[^;:]+;/g, `font-weight: ${from === to ? from : `${from} ${to}`};`))
      break
    }
  }
  const texts = sheets.filter((text) => text !== '')
  return texts.length > 0 ? texts : [(await textOf(carrier, 'index.css')) ?? '']
}

/** The style sheet of a family from its package, with the family's own name and addresses that any page can load. */
const familySheet = async (carrier: FontPackage, request: FontRequest, display: string): Promise<string> => {
  const { name, version } = carrier
  return (await sheetsOf(carrier, request))
    .join('\n')
    .replaceAll(/font-family:[^;:]+;/g, `font-family: '${request.family}';`)
    .replaceAll(/font-display:[^;:]+;/g, `font-display: ${display};`)
    .replaceAll(/url\(\.\//g, `url(https://cdn.jsdelivr.net/npm/${name}@${version}/`)
}

const asset = (contentType: string, body: Buffer): RemoteAsset => ({ contentType, allowOrigin: '*', body })

/** Whether an address's family is drawn without the network: from an installed package, or with a bundled font. */
export const hasLocalFont = async (projectDir: string, family: string): Promise<boolean> =>
  BUNDLED.has(family.toLowerCase()) || (await findFamilyPackage(projectDir, family)) !== undefined

const answerSheet = async (projectDir: string, url: string): Promise<RemoteAsset | undefined> => {
  const { requests = [], display = 'auto' } = parseFontAddress(url) ?? {}
  const imports: string[] = []
  const sheets: string[] = []
  for (const request of requests) {
    const carrier = await findFamilyPackage(projectDir, request.family)
    if (carrier) sheets.push(await familySheet(carrier, request, display))
    // A bundled family is installed in the browser.
    else if (BUNDLED.has(request.family.toLowerCase())) sheets.push(`/* ${request.family} is bundled */`)
    else imports.push(`@import url("${addressOfFamily(request, display)}");`)
  }
  // Without any local family the address goes to the network as it is.
  if (sheets.length === 0) return undefined
  return asset('text/css; charset=utf-8', Buffer.from([...imports, ...sheets].join('\n')))
}

const answerFile = async (projectDir: string, url: string): Promise<RemoteAsset | undefined> => {
  const address = parseLibraryAddress(url)
  if (!address?.file || address.isModule) return undefined
  const carrier = await findFontPackage(projectDir, address.name)
  if (!carrier || !meetsRange(address.version && plainRange(address.version), carrier.version)) return undefined
  const body = await readFontFile(carrier, address.file)
  return body && asset(contentTypeOf(address.file), body)
}

/**
 * Answers an address of Google Fonts, or of a font package on a CDN, from installed packages: `@fontsource-variable/*`
 * or `@fontsource/*`. Undefined when none has the requested styles.
 */
export const answerFontAddress = async (projectDir: string, url: string): Promise<RemoteAsset | undefined> =>
  (await answerSheet(projectDir, url)) ?? (await answerFile(projectDir, url))
