/** A font that has letters which no bundled font has, as an npm package of style sheets. */
export interface LetterFont {
  /** What the letters are called, such as `Japanese`. */
  readonly script: string
  readonly family: string
  readonly package: string
}

const noto = (script: string, suffix = script): LetterFont => ({
  script,
  family: `Noto Sans ${suffix}`,
  package: `@fontsource/noto-sans-${suffix.toLowerCase().replaceAll(' ', '-')}`,
})

const EAST_ASIAN = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\uff00-\uffef]/u

/** East Asian letters are shared between languages: what stands beside them tells which is meant. */
const EAST_ASIAN_FONTS: readonly (readonly [letters: RegExp, font: LetterFont])[] = [
  [/[\p{sc=Hiragana}\p{sc=Katakana}]/u, noto('Japanese', 'JP')],
  [/\p{sc=Hangul}/u, noto('Korean', 'KR')],
  [/\p{sc=Bopomofo}/u, noto('Chinese', 'TC')],
  [/(?:)/, noto('Chinese', 'SC')],
]

const FONTS: readonly (readonly [letters: RegExp, font: LetterFont])[] = [
  [/\p{scx=Arabic}/u, noto('Arabic')],
  [/\p{scx=Armenian}/u, noto('Armenian')],
  [/\p{scx=Bengali}/u, noto('Bengali')],
  [/\p{scx=Devanagari}/u, noto('Devanagari')],
  [/\p{scx=Ethiopic}/u, noto('Ethiopic')],
  [/\p{scx=Georgian}/u, noto('Georgian')],
  [/\p{scx=Gujarati}/u, noto('Gujarati')],
  [/\p{scx=Gurmukhi}/u, noto('Gurmukhi')],
  [/\p{scx=Hebrew}/u, noto('Hebrew')],
  [/\p{scx=Kannada}/u, noto('Kannada')],
  [/\p{scx=Khmer}/u, noto('Khmer')],
  [/\p{scx=Lao}/u, noto('Lao')],
  [/\p{scx=Malayalam}/u, noto('Malayalam')],
  [/\p{scx=Myanmar}/u, noto('Myanmar')],
  [/\p{scx=Sinhala}/u, noto('Sinhala')],
  [/\p{scx=Tamil}/u, noto('Tamil')],
  [/\p{scx=Telugu}/u, noto('Telugu')],
  [/\p{scx=Thaana}/u, noto('Thaana')],
  [/\p{scx=Thai}/u, noto('Thai')],
  [/[\p{Sm}\u{1d400}-\u{1d7ff}]/u, noto('mathematical', 'Math')],
  [/\p{S}/u, noto('symbol', 'Symbols 2')],
]

/** Spaces, controls and marks that only change their neighbours leave nothing to draw. */
const UNDRAWN = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\p{Cn}]/u

/** Letters of a text, each once, that a font must have for them to be seen. */
export const drawnLetters = (text: string): string[] =>
  [...new Set(text)].filter((letter) => !UNDRAWN.test(letter))

/** Letters of one script that no font has; `font` is one that has them, where one is known. */
export interface LetterGroup {
  readonly letters: readonly string[]
  readonly font: LetterFont | undefined
}

/** Takes letters that no font has apart by the font that would draw them. */
export const groupLetters = (letters: readonly string[]): LetterGroup[] => {
  const text = letters.join('')
  const eastAsian = EAST_ASIAN_FONTS.find(([pattern]) => pattern.test(text))?.[1]
  const groups = new Map<LetterFont | undefined, string[]>()
  for (const letter of letters) {
    const isEastAsian = EAST_ASIAN.test(letter)
    const font = isEastAsian ? eastAsian : FONTS.find(([pattern]) => pattern.test(letter))?.[1]
    groups.set(font, [...(groups.get(font) ?? []), letter])
  }
  return [...groups].map(([font, members]) => ({ letters: members, font }))
}

/** Letters that a message lists before it says how many more there are. */
const MOST_LISTED = 12

/** Such as `the Japanese letters こんにちは`, with the end left out where there are many. */
export const describeLetters = ({ letters, font }: LetterGroup): string => {
  const listed = letters.slice(0, MOST_LISTED).join('')
  const more = letters.length - MOST_LISTED
  const kind = `${font ? `${font.script} ` : ''}letter${letters.length === 1 ? '' : 's'}`
  return `the ${kind} ${listed}${more > 0 ? ` and ${more} more` : ''}`
}

/** What gives a page letters that no bundled font has. */
export const describeLetterFont = (font: LetterFont | undefined): string =>
  font === undefined
    ? 'Put a font file that has them into the project, and declare it with @font-face.'
    : `In the project's folder run "npm install ${font.package}", link node_modules/${font.package}/400.css as a style sheet (700.css for bold), and put "${font.family}" into font-family; or declare a font file of the project with @font-face.`
