/** A font for a script that no bundled font covers, as an npm package of style sheets. */
export interface ScriptFont {
  /** Name of the script or of the kind of characters, such as `Japanese`. */
  readonly script: string
  readonly family: string
  readonly package: string
}

const noto = (script: string, suffix = script): ScriptFont => ({
  script,
  family: `Noto Sans ${suffix}`,
  package: `@fontsource/noto-sans-${suffix.toLowerCase().replaceAll(' ', '-')}`,
})

const EAST_ASIAN = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\uff00-\uffef]/u

/** East Asian languages share characters: the first pattern that a text contains decides on the language. */
const EAST_ASIAN_FONTS: readonly (readonly [characters: RegExp, font: ScriptFont])[] = [
  [/[\p{sc=Hiragana}\p{sc=Katakana}]/u, noto('Japanese', 'JP')],
  [/\p{sc=Hangul}/u, noto('Korean', 'KR')],
  [/\p{sc=Bopomofo}/u, noto('Chinese', 'TC')],
  [/(?:)/, noto('Chinese', 'SC')],
]

const FONTS: readonly (readonly [characters: RegExp, font: ScriptFont])[] = [
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

/** Characters without a glyph: spaces, controls and marks that only change their neighbours. */
const INVISIBLE = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\p{Cn}]/u

/** The characters of a text that need a glyph, each once. */
export const drawnCharacters = (text: string): string[] =>
  [...new Set(text)].filter((character) => !INVISIBLE.test(character))

/** Characters of one script that no font has, and a font that has them, if one is known. */
export interface CharacterGroup {
  readonly characters: readonly string[]
  readonly font: ScriptFont | undefined
}

/** Groups characters that no font has by the font that has them. */
export const groupCharacters = (characters: readonly string[]): CharacterGroup[] => {
  const text = characters.join('')
  const eastAsian = EAST_ASIAN_FONTS.find(([pattern]) => pattern.test(text))?.[1]
  const groups = new Map<ScriptFont | undefined, string[]>()
  for (const character of characters) {
    const isEastAsian = EAST_ASIAN.test(character)
    const font = isEastAsian ? eastAsian : FONTS.find(([pattern]) => pattern.test(character))?.[1]
    groups.set(font, [...(groups.get(font) ?? []), character])
  }
  return [...groups].map(([font, members]) => ({ characters: members, font }))
}

/** Limit on the characters that a message lists. */
const MAX_LISTED = 12

/** Describes a group for a message, such as `the Japanese characters こんにちは`; a long list is cut. */
export const describeCharacters = ({ characters, font }: CharacterGroup): string => {
  const listed = characters.slice(0, MAX_LISTED).join('')
  const more = characters.length - MAX_LISTED
  const kind = `${font ? `${font.script} ` : ''}character${characters.length === 1 ? '' : 's'}`
  return `the ${kind} ${listed}${more > 0 ? ` and ${more} more` : ''}`
}

/** Describes how to add a font that has the characters of a group. */
export const describeScriptFont = (font: ScriptFont | undefined): string =>
  font === undefined
    ? 'Add a font file that has them to the project and declare it with @font-face.'
    : `In the project's folder run "npm install ${font.package}", link node_modules/${font.package}/400.css as a style sheet (700.css for bold), and put "${font.family}" into font-family; or declare a font file of the project with @font-face.`
