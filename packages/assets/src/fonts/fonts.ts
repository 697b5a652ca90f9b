import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A family that is drawn alike on every machine, and the names that are drawn with it. */
export interface BundledFamily {
  readonly family: string
  /** The npm package with its font files. */
  readonly carrier: string
  /** CSS generics and families of other systems that stand for this one. */
  readonly aliases: readonly string[]
}

/** The bundled fonts; a family that nobody has is drawn with the browser's default, which is the serif one. */
export const bundledFamilies: readonly BundledFamily[] = [
  {
    family: 'Inter',
    carrier: '@expo-google-fonts/inter',
    aliases: [
      ...[
        'sans-serif',
        'sans',
        'system-ui',
        'ui-sans-serif',
        'ui-rounded',
        '-apple-system',
        'BlinkMacSystemFont',
      ],
      ...['Arial', 'Helvetica', 'Helvetica Neue', 'Arial Nova', 'Liberation Sans', 'DejaVu Sans', 'Roboto'],
      ...[
        'Segoe UI',
        'San Francisco',
        'SF Pro',
        'SF Pro Display',
        'SF Pro Text',
        'Ubuntu',
        'Cantarell',
        'Noto Sans',
      ],
      ...[
        'Open Sans',
        'Verdana',
        'Tahoma',
        'Trebuchet MS',
        'Calibri',
        'Geneva',
        'Impact',
        'cursive',
        'fantasy',
      ],
      ...['Comic Sans MS', 'Arimo'],
    ],
  },
  {
    family: 'Source Serif 4',
    carrier: '@expo-google-fonts/source-serif-4',
    aliases: [
      ...['serif', 'ui-serif', 'Times', 'Times New Roman', 'Georgia', 'Cambria', 'Garamond', 'Palatino'],
      ...[
        'Palatino Linotype',
        'Book Antiqua',
        'Baskerville',
        'Liberation Serif',
        'DejaVu Serif',
        'Noto Serif',
      ],
      ...['Source Serif Pro', 'New York', 'Tinos', 'math'],
    ],
  },
  {
    family: 'JetBrains Mono',
    carrier: '@expo-google-fonts/jetbrains-mono',
    aliases: [
      ...[
        'monospace',
        'mono',
        'ui-monospace',
        'Courier',
        'Courier New',
        'Menlo',
        'Monaco',
        'Consolas',
        'SF Mono',
      ],
      ...[
        'SFMono-Regular',
        'Liberation Mono',
        'DejaVu Sans Mono',
        'Ubuntu Mono',
        'Noto Sans Mono',
        'Andale Mono',
      ],
      ...['Lucida Console', 'Cascadia Code', 'Roboto Mono', 'Cousine'],
    ],
  },
  {
    family: 'Noto Color Emoji',
    carrier: '@expo-google-fonts/noto-color-emoji',
    aliases: [
      'emoji',
      'Apple Color Emoji',
      'Segoe UI Emoji',
      'Segoe UI Symbol',
      'Twemoji Mozilla',
      'EmojiOne Color',
    ],
  },
  // Other letters of a text are drawn with these, whatever its family is.
  { family: 'Noto Sans Arabic', carrier: '@expo-google-fonts/noto-sans-arabic', aliases: [] },
  { family: 'Noto Sans Devanagari', carrier: '@expo-google-fonts/noto-sans-devanagari', aliases: [] },
  { family: 'Noto Sans Hebrew', carrier: '@expo-google-fonts/noto-sans-hebrew', aliases: [] },
  { family: 'Noto Sans Thai', carrier: '@expo-google-fonts/noto-sans-thai', aliases: [] },
]

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const aliasRule = (alias: string, family: string): string =>
  `<match target="pattern"><test name="family"><string>${escapeXml(alias)}</string></test>` +
  `<edit name="family" mode="assign" binding="strong"><string>${escapeXml(family)}</string></edit></match>`

/** How fontconfig draws a font, the same on every machine. */
export const RENDERING = [
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
    ...folders.map((folder) => `<dir>${escapeXml(folder)}</dir>`),
    `<cachedir>${escapeXml(cacheDir)}</cachedir>`,
    ...bundledFamilies.flatMap(({ family, aliases }) => aliases.map((alias) => aliasRule(alias, family))),
    ...RENDERING,
    '</fontconfig>',
    '',
  ].join('\n')

/** Absolute folders of the bundled fonts. */
export const fontFolders = (): string[] => {
  const require = createRequire(import.meta.url)
  return bundledFamilies.map(({ carrier }) => dirname(require.resolve(`${carrier}/package.json`)))
}

/**
 * Writes, once, fontconfig settings that know only the bundled families, and gives their path; a browser that is
 * launched with it as FONTCONFIG_FILE sees no font of the machine.
 */
export const writeFontSettings = async (cacheDir: string): Promise<string> => {
  const text = settingsOf(fontFolders(), join(cacheDir, 'fontconfig'))
  const file = join(cacheDir, `fonts-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.conf`)
  if ((await readFile(file, 'utf8').catch(() => undefined)) === text) return file
  await mkdir(join(cacheDir, 'fontconfig'), { recursive: true, mode: 0o700 })
  const temp = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`
  await writeFile(temp, text)
  await rename(temp, file)
  return file
}
