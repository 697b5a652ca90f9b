import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { bundledFamilies, CATALOGUE, FONT_RENDERING, packageFolder, packageVersion } from '@vid/assets'
import { pageScript, planarModule } from '@vid/runtime'
import { digestOf } from '@vid/system'

/** Increased when the same page gets other pixels for a reason that the versions below do not cover. */
const RECIPE = 1

const require = createRequire(import.meta.url)

const versionOfFont = (carrier: string) =>
  (JSON.parse(readFileSync(require.resolve(`${carrier}/package.json`), 'utf8')) as { version: string }).version

const parts = (): unknown[] => {
  const script = pageScript({ width: 1, height: 1, fps: 1, variables: {}, alpha: false })
  const fonts = bundledFamilies.map((family) => [family, versionOfFont(family.carrier)])
  const libraries = Object.keys(CATALOGUE).map((name) => {
    const folder = packageFolder(name)
    return [name, folder && packageVersion(folder)]
  })
  return [script, planarModule(), fonts, FONT_RENDERING, libraries]
}

/** Computed once in a process: the installed packages do not change while it runs. */
let build: string | undefined

/**
 * Identity of all parts of vid that determine pixels in the browser: the page script, the conversion to planar pixels,
 * the bundled fonts, the bundled libraries.
 */
export const pageBuild = (): string => {
  build ??= digestOf(JSON.stringify([RECIPE, ...parts()])).slice(0, 16)
  return build
}
