import { type Note, warning } from './note.ts'
import { PROPERTY, type variableFinder } from './renames.ts'
import { type ImportedFile, lineAt } from './source.ts'

/** A name in a text that means something to HyperFrames only. */
interface UnknownName {
  readonly pattern: RegExp
  /** What a match of the pattern must hold too. */
  readonly part?: RegExp
  readonly hint: string
}

const UNKNOWN: readonly UnknownName[] = [
  {
    pattern: /\b__hyperframes\s*\??\.\s*(?!getVariables\b)[\w$]+/g,
    hint: 'vid has `__vid.getVariables()`; write what this function does into the page.',
  },
  {
    pattern: /\b__(?:player|playerReady|renderReady|clipManifest|clipTree)\b/g,
    hint: 'Listen to the event `vid-seek` on `window` for the time of each frame.',
  },
  {
    pattern: /\bhyperframes[A-Z]\w*/g,
    hint: 'Register the timeline: `window.__timelines[name] = timeline` for anime.js, `__hfLottie` for a Lottie player.',
  },
  {
    // Those that vid has too are left out.
    pattern: /\b__hf(?!(?:Lottie|Anime|ThreeTime)?\b)\w+/g,
    hint: 'Listen to the event `vid-seek` on `window`, and draw the time `detail.time`.',
  },
  {
    pattern: /(?:https?:)?\/\/[^\s"'`)]+/g,
    part: /\/@?hyperframes?\b/,
    hint: 'Remove a script that plays the composition: vid does that. Put any other into the project, for rendering without a network.',
  },
]

const spotIn = ({ file, text }: ImportedFile, offset: number, message: string) => ({
  file,
  line: lineAt(text, offset),
  selector: null,
  message,
})

/** Words that `hyperframes init` replaces in a template, each with what to write. */
const BLANKS: Readonly<Record<string, string>> = {
  __VIDEO_DURATION__: 'Write the length in seconds, such as 10.',
  __VIDEO_SRC__: 'Write the path of the video, relative to this file.',
  __AUDIO_SRC__: 'Write the path of the sound, relative to this file.',
}

/** Finds where a text defines a name itself, as in `window.__hfScene = …` or `function __hfDraw`. */
const definitionOf = (name: string) =>
  new RegExp(
    `(?:\\b(?:var|let|const|function|class)\\s+|\\bwindow\\s*\\.\\s*|\\bglobalThis\\s*\\.\\s*)${name}\\b\\s*(?:\\(|\\{|=(?!=)|\\|\\|=|\\?\\?=|[,;\\n])`,
  )

const firstOfEach = (matches: Iterable<RegExpExecArray>): RegExpExecArray[] => {
  const first = new Map<string, RegExpExecArray>()
  for (const match of matches) if (!first.has(match[0])) first.set(match[0], match)
  return [...first.values()]
}

const blanks = (source: ImportedFile): Note[] =>
  Object.entries(BLANKS).flatMap(([blank, hint]) => {
    const offset = source.text.indexOf(blank)
    if (offset < 0) return []
    return [warning('blank', spotIn(source, offset, `${blank} is a blank that hyperframes init fills in.`), hint)]
  })

/** Names of themes, which HyperFrames never sets for a variable. */
const THEME = [
  'accent',
  'accent-2',
  'accent-3',
  'accent2',
  'bg',
  'border',
  'brand',
  'fg',
  'ink',
  'muted',
  'primary',
  'secondary',
  'surface',
  'tertiary',
  'text',
]

/** What the texts of a file name that vid does not have. */
export const unknownNames = (
  source: ImportedFile,
  variableOf: ReturnType<typeof variableFinder>,
  texts: readonly string[],
): Note[] => {
  const notes = UNKNOWN.flatMap(({ pattern, part, hint }) =>
    firstOfEach(source.text.matchAll(pattern))
      .filter(([name]) => part?.test(name) ?? true)
      .filter(([name]) => !/^\w+$/.test(name) || !texts.some((text) => definitionOf(name).test(text)))
      .map((match) => warning('name', spotIn(source, match.index, `vid has no ${match[0]}.`), hint)),
  )
  const properties = [...source.text.matchAll(PROPERTY)].filter(([, slug = '']) => !variableOf(source, slug))
  return [
    ...notes,
    ...blanks(source),
    ...properties.map((match) =>
      warning(
        'name',
        spotIn(source, match.index, `${match[0]} means no variable, or several.`),
        'Write `--` and the id of the variable.',
      ),
    ),
    ...themeNotes(source, variableOf),
  ]
}

/** A custom property of the page that a variable of the same name replaces in vid. */
const themeNotes = (source: ImportedFile, variableOf: ReturnType<typeof variableFinder>): Note[] =>
  THEME.flatMap((name) => {
    const [defined] = source.text.matchAll(new RegExp(`(?<![\\w-])--${name}\\s*:`, 'g'))
    if (defined === undefined || variableOf(source, name) !== name) return []
    const message = `--${name} is set here, and vid sets it to the value of the variable "${name}".`
    return [
      warning('theme', spotIn(source, defined.index, message), 'Give one of the two another name where they differ.'),
    ]
  })
