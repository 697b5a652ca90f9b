import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { escapeHtml } from '@vid/protocol'
import { writeWhole } from '@vid/system'
import { bundledFamilies, LAST_FAMILY } from './bundled-families.ts'
import { WEIGHT_RULES } from './weight-rules.ts'

const aliasRule = (alias: string, family: string): string =>
  `<match target="pattern"><test name="family"><string>${escapeHtml(alias)}</string></test>` +
  `<edit name="family" mode="assign" binding="strong"><string>${escapeHtml(family)}</string></edit></match>`

/** Has a family chosen only for characters that no other has, by what fontconfig compares last. */
const lastRule = (family: string): string =>
  `<match target="scan"><test name="family"><string>${escapeHtml(family)}</string></test>` +
  '<edit name="fonthashint" mode="assign"><bool>false</bool></edit>' +
  '<edit name="order" mode="assign"><int>1</int></edit></match>'

/** Fontconfig rules for drawing glyphs: the same on every machine. */
export const FONT_RENDERING = [
  '<match target="font">',
  '<edit name="antialias" mode="assign"><bool>true</bool></edit>',
  '<edit name="hinting" mode="assign"><bool>false</bool></edit>',
  '<edit name="autohint" mode="assign"><bool>false</bool></edit>',
  '<edit name="hintstyle" mode="assign"><const>hintnone</const></edit>',
  '<edit name="rgba" mode="assign"><const>none</const></edit>',
  '<edit name="lcdfilter" mode="assign"><const>lcdnone</const></edit>',
  '</match>',
]

const settingsOf = (folders: readonly string[], cacheDir: string): string =>
  [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    ...folders.map((folder) => `<dir>${escapeHtml(folder)}</dir>`),
    `<cachedir>${escapeHtml(cacheDir)}</cachedir>`,
    ...bundledFamilies.flatMap(({ family, aliases }) => aliases.map((alias) => aliasRule(alias, family))),
    lastRule(LAST_FAMILY),
    ...WEIGHT_RULES,
    ...FONT_RENDERING,
    '</fontconfig>',
    '',
  ].join('\n')

/** Absolute folders of the bundled fonts. */
export const fontFolders = (): string[] => {
  const require = createRequire(import.meta.url)
  return bundledFamilies.map(({ carrier }) => dirname(require.resolve(`${carrier}/package.json`)))
}

/**
 * Writes fontconfig settings that list only the bundled families, unless they are there, and returns their path. A
 * browser with that path as FONTCONFIG_FILE uses no font of the machine.
 */
export const writeFontSettings = async (cacheDir: string): Promise<string> => {
  const text = settingsOf(fontFolders(), join(cacheDir, 'fontconfig'))
  const file = join(cacheDir, `fonts-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.conf`)
  if ((await readFile(file, 'utf8').catch(() => undefined)) === text) return file
  await mkdir(join(cacheDir, 'fontconfig'), { recursive: true, mode: 0o700 })
  await writeWhole(file, (partial) => writeFile(partial, text))
  return file
}
