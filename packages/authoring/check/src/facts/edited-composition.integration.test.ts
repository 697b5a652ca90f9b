import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRenderer, type Renderer } from '@vid/render'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { longTest } from '../../../../../scripts/dev/part-of.ts'
import { compositionOf, makeProject } from '../fixtures/projects.ts'
import { type KeptComposition, readFacts, type SeenComposition } from './read-facts.ts'

let renderer: Renderer
beforeAll(async () => {
  renderer = await createRenderer({ cwd: tmpdir() })
})
afterAll(() => renderer.close())

const { signal } = new AbortController()

const style = `.scene { inset: 0 } p { position: absolute; left: 60px; top: 100px; animation: in 0.3s both }
  @keyframes in { from { transform: translateX(-40px); opacity: 0 } }`

/** Three scenes of a second, each of which has a text that comes in. */
const pageOf = (words: readonly string[], more = '') =>
  compositionOf(
    words
      .map(
        (word, index) =>
          `<section class="scene" data-start="${index}" data-duration="1" style="background: #1${index}3"><p id="p${index}">${word}</p></section>`,
      )
      .join('\n') + more,
    { seconds: 3, style },
  )

const WORDS = ['First words', 'Second words', 'Third words']

/** A composition that was looked at once, and what it is when it is looked at again after an edit. */
const editComposition = async (before: string, after: string) => {
  const projectDir = await makeProject({ 'index.html': before })
  const keep: KeptComposition = { composition: { projectDir, entry: 'index.html' } }
  await readFacts(renderer, { projectDir }, { signal, keep })
  await writeFile(join(projectDir, 'index.html'), after)
  return { edited: await readFacts(renderer, { projectDir }, { signal, keep }), projectDir }
}

/** Frames that a look at a change may be late, since moving pages are looked at every third frame. */
const LATE = 3

/** What a composition is known to hold, without the phase of the looks at it and the order in which elements were met. */
const comparable = ({ facts }: SeenComposition) => {
  const nameOf = (element: number | null) => (element === null ? null : facts.elements[element]?.selector)
  const inOrder = (lines: readonly string[]) => [...lines].sort()
  return {
    states: facts.states,
    pictures: facts.pictures.map(({ frame, flat, luminance }) => `${frame} ${flat} ${luminance.join()}`),
    motions: facts.motions.map((motion) => ({ ...motion, element: nameOf(motion.element) })),
    clips: facts.clips.map((clip) => ({ ...clip, element: nameOf(clip.element) })),
    elements: inOrder(facts.elements.map(({ selector, file, line }) => `${selector} ${file}:${line}`)),
    paths: inOrder(facts.paths.map(({ element, steps }) => `${nameOf(element)} ${JSON.stringify(steps)}`)),
    texts: facts.texts
      .filter(({ isStill }) => isStill)
      .map(({ element, text, lines, opacity }) => ({
        element: nameOf(element),
        text,
        lines: lines.map((line) => Object.values(line).map(Math.round)),
        opacity: Math.round(opacity * 20),
      })),
    contrasts: facts.contrasts.map(({ element, ratio, color }) => `${nameOf(element)} ${ratio.toFixed(2)} ${color}`),
  }
}

const stillFrames = ({ facts }: SeenComposition) =>
  facts.texts.filter(({ isStill }) => isStill).flatMap(({ frames }) => frames)

/** Expects that a look at an edited composition has found what a new look at all of it finds. */
const expectSame = (edited: SeenComposition, whole: SeenComposition) => {
  const ofWhole = comparable(whole)
  for (const [name, values] of Object.entries(comparable(edited))) {
    const expected: readonly unknown[] = ofWhole[name as keyof typeof ofWhole]
    expect(values, name).toHaveLength(expected.length)
    for (const [index, value] of values.entries()) expect(value, name).toEqual(expected[index])
  }
  const late = stillFrames(whole).map((frame, index) => Math.abs(frame - (stillFrames(edited)[index] ?? Number.NaN)))
  expect(Math.max(...late)).toBeLessThanOrEqual(LATE)
}

test('after a word of one scene was changed, what is known of the composition is what a new look at all of it finds', async () => {
  const { edited, projectDir } = await editComposition(
    pageOf(WORDS),
    pageOf(['First words', 'Quite other words', 'Third words']),
  )
  const whole = await readFacts(renderer, { projectDir }, { signal })
  expectSame(edited, whole)
  expect(edited.facts.texts.map(({ text }) => text)).toContain('Quite other words')
}, 600_000)

test('after a colour of one scene was changed, its contrast is measured again', async () => {
  const faint = pageOf(WORDS).replace('id="p1"', 'id="p1" style="color: #224"')
  const { edited, projectDir } = await editComposition(pageOf(WORDS), faint)
  const whole = await readFacts(renderer, { projectDir }, { signal })
  expectSame(edited, whole)
  const { contrasts } = comparable(edited)
  expect(contrasts).toContainEqual(expect.stringMatching(/^#p1 [12]\..*#222244$/))
  expect(contrasts).toContainEqual(expect.stringMatching(/^#p0 1\d\..*#ffffff$/))
}, 600_000)

longTest(
  'an element that a script adds in a scene that was not edited is known as before',
  async () => {
    const script = `<script>
    const note = document.createElement('b')
    note.id = 'note'
    note.style = 'position: absolute; left: 60px; top: 220px'
    addEventListener('vid-seek', ({ detail: { time } }) => {
      note.textContent = 'At ' + time.toFixed(0)
      if (time >= 2) document.querySelector('#root').append(note)
      else note.remove()
    })
  </script>`
    const after = pageOf(['First words', 'Quite other words', 'Third words'], script)
    const { edited, projectDir } = await editComposition(pageOf(WORDS, script), after)
    const whole = await readFacts(renderer, { projectDir }, { signal })
    expectSame(edited, whole)
  },
  600_000,
)

test('frames in which an edit cannot be seen are not looked at again, though only they show their texts', async () => {
  const words = Array.from({ length: 7 }, (_, index) => `Words of scene ${index}`)
  const composition = (texts: readonly string[]) => pageOf(texts).replace('data-duration="3"', 'data-duration="7"')
  const projectDir = await makeProject({ 'index.html': composition(words) })
  const keep: KeptComposition = { composition: { projectDir, entry: 'index.html' } }
  await readFacts(renderer, { projectDir }, { signal, keep })
  await writeFile(join(projectDir, 'index.html'), composition(words.with(5, 'Other words')))
  const followed: number[] = []
  const edited = await readFacts(renderer, { projectDir }, { signal, keep, onProgress: (done) => followed.push(done) })
  expect(followed.filter((frame) => frame > 60 && frame < 149)).toEqual([])
  expectSame(edited, await readFacts(renderer, { projectDir }, { signal }))
})
