import { type CheckSpot, type CompositionFacts, type CompositionFrames, defineCheck, withDefault } from '@vid/kernel'
import { Type } from '@vid/protocol'
import { damagedPart } from './damaged-text.ts'
import { allFrames, isSeen, quoted, short, spotOf } from './spots.ts'

/** Elements that a message names: by their start tag, or by the file that they load. */
const namedElements = ({ elements, sources }: CompositionFacts, message: string): readonly number[] => {
  const tags = elements.flatMap(({ tag, selector }, position) =>
    selector.startsWith('#') &&
    [`<${tag} id="${selector.slice(1)}"`, `(in ${tag}${selector})`].some((name) => message.includes(name))
      ? [position]
      : [],
  )
  const files = sources.filter(({ src }) => message.includes(src.replace(/^\.\//, ''))).map(({ element }) => element)
  return [...new Set([...tags, ...files])]
}

/** The frames in which a text of an element is shown; all where none is known. */
const shownFrames = (facts: CompositionFacts, element: number): CompositionFrames => {
  const spans = facts.texts.filter((text) => text.element === element).map(({ frames }) => frames)
  const [first] = spans
  return first ? [first[0], Math.max(...spans.map(([, end]) => end))] : allFrames(facts)
}

/** What a render would warn of, by codes. */
function* problems(facts: CompositionFacts, codes: readonly string[]): Generator<CheckSpot> {
  for (const { code, message, hint, frames, file, line } of facts.problems) {
    if (!codes.includes(code)) continue
    const rest = {
      message,
      ...(hint !== undefined && { hint }),
      ...(file !== null && { file }),
      ...(line !== null && { line }),
    }
    const named = namedElements(facts, message)
    if (named.length === 0) yield { frames: frames ?? allFrames(facts), ...rest }
    for (const element of named) yield { frames: frames ?? shownFrames(facts, element), element, ...rest }
  }
}

export const scriptError = defineCheck({
  name: '@vid/check/script-error',
  rule: 'script-error',
  level: 'error',
  what: 'A script that throws, a promise that is rejected, or an error on the console.',
  why: 'What the script had yet to do is missing from the video.',
  hint: 'Correct the script at the place that the message names.',
  check: (facts) => problems(facts, ['VID_SCRIPT_ERROR', 'VID_SCRIPT_FAILED', 'VID_CONSOLE_ERROR']),
})

export const missingFile = defineCheck({
  name: '@vid/check/missing-file',
  rule: 'missing-file',
  level: 'error',
  what: 'A picture, video, sound, script or font that the page asks for and does not get.',
  why: 'It is missing from the video, whatever the source says: also when a script asks for it.',
  hint: 'Correct the path, or put the file into the project.',
  check: (facts) =>
    problems(facts, [
      'VID_ASSET_FAILED',
      'VID_REMOTE_BLOCKED',
      'VID_MEDIA_UNUSABLE',
      'VID_SOUND_LEFT_OUT',
      'VID_IMAGE_NOT_LOADED',
      'VID_EMBEDDED_UNSEEN',
    ]),
})

export const fallbackFont = defineCheck({
  name: '@vid/check/fallback-font',
  rule: 'fallback-font',
  level: 'warning',
  what: 'Text in another font than the one that its style names first.',
  why: 'Fonts of the machine are not used, so a family that the project does not bring is replaced by the next of its list.',
  hint: 'Install the package of the family, declare it with @font-face, or name a bundled family first.',
  *check(facts) {
    yield* problems(facts, ['VID_FONT_NOT_LOADED'])
    for (const text of facts.texts)
      if (text.missingFamily !== null)
        yield spotOf(text, {
          message: `${quoted(text.text)} is set in another font than "${text.missingFamily}", which is not there.`,
          figures: { family: text.missingFamily },
        })
  },
})

export const missingGlyph = defineCheck({
  name: '@vid/check/missing-glyph',
  rule: 'missing-glyph',
  level: 'error',
  what: 'Characters that no font has, or that are damaged.',
  why: 'They are drawn as boxes, as � or as Ã©.',
  hint: 'Use a font that has them, or save the text as UTF-8.',
  *check(facts) {
    yield* problems(facts, ['VID_LETTERS_MISSING', 'VID_TEXT_DAMAGED'])
    for (const text of facts.texts.filter(isSeen)) {
      const damaged = damagedPart(text.text)
      if (damaged)
        yield spotOf(text, {
          message: `${quoted(text.text)} shows "${damaged.shown}" in place of "${damaged.meant}".`,
          hint: 'The text was read in another encoding than UTF-8 before it came into the page: write it again.',
          figures: { shown: damaged.shown, meant: damaged.meant },
          certainty: 'likely',
        })
    }
  },
})

export const unregisteredTimeline = defineCheck({
  name: '@vid/check/unregistered-timeline',
  rule: 'unregistered-timeline',
  level: 'warning',
  what: 'A timeline that is paused, built, and never registered or played.',
  why: 'Nothing moves it, so its animations stand still.',
  hint: 'Register it as window.__timelines[id].',
  *check(facts) {
    for (const { rule, file, line, message, hint } of facts.source)
      if (rule.endsWith('-timeline')) yield { frames: allFrames(facts), file, line, message, hint }
  },
})

export const slowPage = defineCheck({
  name: '@vid/check/slow-page',
  rule: 'slow-page',
  level: 'warning',
  what: 'A page that takes longer than its budget to show a frame.',
  why: 'Every worker of a render waits for it, in every frame.',
  hint: 'Draw less in each frame, or compute once what does not change.',
  options: Type.Object({ budgetMs: withDefault(Type.Number({ minimum: 1 }), 300) }),
  *check({ timings }, { budgetMs }) {
    for (const { frames, ms } of timings)
      if (ms > budgetMs)
        yield {
          frames,
          message: `The page takes ${short(ms, 0)} ms for each frame; its budget is ${short(budgetMs, 0)} ms.`,
          figures: { ms: Math.round(ms), budgetMs },
          certainty: 'likely',
        }
  },
})
