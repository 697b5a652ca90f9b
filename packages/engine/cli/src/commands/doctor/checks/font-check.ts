import { readdir } from 'node:fs/promises'
import { bundledFamilies, fontFolders } from '@vid/assets'
import type { Trial } from '../check.ts'

const HINT = 'Reinstall the packages of vid.'

/** The files of the bundled fonts, which pages are drawn with on every machine. */
export const fontTrial: Trial = {
  name: 'fonts',
  required: true,
  missing: 'text',
  hint: HINT,
  command: 'npm install --force',
  async look() {
    for (const [index, folder] of fontFolders().entries()) {
      const names = await readdir(folder, { recursive: true }).catch(() => [])
      if (names.some((name) => /\.(?:ttf|otf|woff2?)$/.test(name))) continue
      const { family, carrier } = bundledFamilies[index] ?? { family: '', carrier: '' }
      const detail = `the package ${carrier} of the family ${family} has no font files`
      return { failed: true, detail, hint: HINT, command: 'npm install --force' }
    }
    return { detail: `${bundledFamilies.length} bundled families` }
  },
}
