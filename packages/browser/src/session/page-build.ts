import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import {
  bundledFamilies,
  CATALOGUE,
  digestOf,
  FONT_RENDERING,
  packageFolder,
  packageVersion,
} from '@vid/assets'
import { pageScript, planarModule } from '@vid/runtime'

/** Raised when the same page begins to give other pixels for a reason that no version tells. */
const RECIPE = 1

const require = createRequire(import.meta.url)

const versionOfFont = (carrier: string) =>
  (JSON.parse(readFileSync(require.resolve(`${carrier}/package.json`), 'utf8')) as { version: string })
    .version

const parts = (): unknown[] => {
  const script = pageScript({ width: 1, height: 1, fps: 1, variables: {}, alpha: false })
  const fonts = bundledFamilies.map((each) => [each, versionOfFont(each.carrier)])
  const libraries = Object.keys(CATALOGUE).map((name) => {
    const folder = packageFolder(name)
    return [name, folder && packageVersion(folder)]
  })
  return [script, planarModule(), fonts, FONT_RENDERING, libraries]
}

let build: string | undefined

/**
 * Identity of what draws in the browser beside the browser: the page script, what makes planar pictures, the bundled
 * fonts, the libraries.
 */
export const pageBuild = (): string => {
  build ??= digestOf(JSON.stringify([RECIPE, ...parts()])).slice(0, 16)
  return build
}
