/** A font family that looks the same on every machine, and the names that it replaces. */
export interface BundledFamily {
  readonly family: string
  /** The npm package with its font files. */
  readonly carrier: string
  /** CSS generics and families of other systems that this one is drawn for. */
  readonly aliases: readonly string[]
}

/** Has symbols that other families have too, in a shape that suits formulas. */
export const LAST_FAMILY = 'Noto Sans Math'

/** The bundled fonts. A family that is neither bundled nor declared by the page is drawn with the serif one. */
export const bundledFamilies: readonly BundledFamily[] = [
  {
    family: 'Inter',
    carrier: '@expo-google-fonts/inter',
    aliases: [
      'sans-serif',
      'sans',
      'system-ui',
      'ui-sans-serif',
      'ui-rounded',
      '-apple-system',
      'BlinkMacSystemFont',
      'Arial',
      'Helvetica',
      'Helvetica Neue',
      'Arial Nova',
      'Liberation Sans',
      'DejaVu Sans',
      'Roboto',
      'Segoe UI',
      'San Francisco',
      'SF Pro',
      'SF Pro Display',
      'SF Pro Text',
      'Ubuntu',
      'Cantarell',
      'Noto Sans',
      'Open Sans',
      'Verdana',
      'Tahoma',
      'Trebuchet MS',
      'Calibri',
      'Geneva',
      'Impact',
      'cursive',
      'fantasy',
      'Comic Sans MS',
      'Arimo',
    ],
  },
  {
    family: 'Source Serif 4',
    carrier: '@expo-google-fonts/source-serif-4',
    aliases: [
      'serif',
      'ui-serif',
      'Times',
      'Times New Roman',
      'Georgia',
      'Cambria',
      'Garamond',
      'Palatino',
      'Palatino Linotype',
      'Book Antiqua',
      'Baskerville',
      'Liberation Serif',
      'DejaVu Serif',
      'Noto Serif',
      'Source Serif Pro',
      'New York',
      'Tinos',
    ],
  },
  {
    family: 'JetBrains Mono',
    carrier: '@expo-google-fonts/jetbrains-mono',
    aliases: [
      'monospace',
      'mono',
      'ui-monospace',
      'Courier',
      'Courier New',
      'Menlo',
      'Monaco',
      'Consolas',
      'SF Mono',
      'SFMono-Regular',
      'Liberation Mono',
      'DejaVu Sans Mono',
      'Ubuntu Mono',
      'Noto Sans Mono',
      'Andale Mono',
      'Lucida Console',
      'Cascadia Code',
      'Roboto Mono',
      'Cousine',
    ],
  },
  {
    family: 'Noto Color Emoji',
    carrier: '@expo-google-fonts/noto-color-emoji',
    aliases: ['emoji', 'Apple Color Emoji', 'Segoe UI Emoji', 'Segoe UI Symbol', 'Twemoji Mozilla', 'EmojiOne Color'],
  },
  // Characters that the families above lack are drawn with these, whatever the text's family is.
  { family: 'Noto Sans Arabic', carrier: '@expo-google-fonts/noto-sans-arabic', aliases: [] },
  { family: 'Noto Sans Devanagari', carrier: '@expo-google-fonts/noto-sans-devanagari', aliases: [] },
  { family: 'Noto Sans Hebrew', carrier: '@expo-google-fonts/noto-sans-hebrew', aliases: [] },
  { family: 'Noto Sans Thai', carrier: '@expo-google-fonts/noto-sans-thai', aliases: [] },
  // Formulas of MathML, whose variables are mathematical letters.
  { family: LAST_FAMILY, carrier: '@expo-google-fonts/noto-sans-math', aliases: ['math', 'Cambria Math'] },
]
