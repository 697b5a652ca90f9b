import { resolve } from 'node:path'
import { bundledFamilies, bundledGlyphs, hasLocalFont, installFonts } from '@vid/assets'
import { type Finding, lintComposition } from '@vid/core/lint'

export type { Finding } from '@vid/core/lint'

/** The findings about a project, with the fonts that this version bundles. */
export const lintWithBundledFonts = async (
  projectDir: string,
  entry: string,
  options: { readonly alpha: boolean; readonly signal: AbortSignal },
): Promise<Finding[]> => {
  const families = bundledFamilies.flatMap(({ family, aliases }) => [family, ...aliases])
  const folder = resolve(projectDir)
  const installHint = async (family: string) =>
    (await hasLocalFont(folder, family)) ? undefined : installFonts([family])
  return lintComposition(projectDir, entry, {
    ...options,
    families,
    hasGlyph: await bundledGlyphs(),
    installHint,
  })
}
