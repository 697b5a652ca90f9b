import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileEntry } from '@vid/core'
import { lintComposition } from '@vid/core/lint'
import { isVidError } from '@vid/kernel'
import { expect, test } from 'vitest'
import { makeProject, TESTER } from './fixtures/project.ts'
import { type ClipFacts, type EditSession, openEdit } from './index.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

const galleries = ['examples', 'e2e/projects']
const compositions = (
  await Promise.all(
    galleries.map(async (gallery) =>
      (
        await readdir(join(ROOT, gallery))
      )
        .map((name) => `${gallery}/${name}`)
        .filter((folder) => existsSync(join(ROOT, folder, 'index.html'))),
    ),
  )
).flat()

type Window = readonly [start: number | null, end: number | null]

/** An operation, and the window that its clip has after it where that follows from the one before. */
interface Trial {
  readonly operation: Readonly<Record<string, unknown>>
  readonly window?: Window
}

const shifted = (seconds: number | null, by: number) =>
  seconds === null ? null : Math.round((seconds + by) * 1e6) / 1e6

/** The operations that a clip is tried with. */
const trialsOf = (
  { address: target, start, end }: ClipFacts,
  attributes: Readonly<Record<string, string>>,
): readonly Trial[] => [
  {
    operation: { op: 'move', target, by: 0.125 },
    window: [
      shifted(start, 0.125),
      shifted(end, 'data-duration' in attributes || 'data-end' in attributes ? 0.125 : 0),
    ],
  },
  { operation: { op: 'trim', target, edge: 'start', by: 0.0625 }, window: [shifted(start, 0.0625), end] },
  { operation: { op: 'trim', target, edge: 'end', by: -0.0625 }, window: [start, shifted(end, -0.0625)] },
  { operation: { op: 'split', target, at: (start ?? 0) + 0.125 }, window: [start, shifted(start, 0.125)] },
  { operation: { op: 'duplicate', target }, window: [start, end] },
  { operation: { op: 'remove', target } },
  { operation: { op: 'insert', target, place: 'after', text: 'New', start: start ?? 0, duration: 0.25, track: 41 } },
  { operation: { op: 'order', target, to: 'front' } },
  { operation: { op: 'track', target, track: 40 }, window: [start, end] },
  { operation: { op: 'text', target, text: 'Edited' }, window: [start, end] },
  { operation: { op: 'set', target, name: 'title', value: 'edited' }, window: [start, end] },
  { operation: { op: 'style', target, property: 'outline', value: '1px solid red' }, window: [start, end] },
  { operation: { op: 'media', target, src: 'other.mp4' } },
  { operation: { op: 'volume', target, volume: 0.25 }, window: [start, end] },
  { operation: { op: 'fade', target, in: 0.1, out: 0.1 }, window: [start, end] },
]

const errorsOf = async (folder: string) =>
  (await lintComposition(folder, 'index.html')).filter(({ severity }) => severity === 'error').map(({ code }) => code)

/** Lints and compiles what is staged, from the disk; then the files are as before. */
const problemsOf = async (folder: string, edit: EditSession) => {
  const texts = new Map<string, Buffer>()
  for (const [file, staged] of edit.files()) {
    texts.set(file, await readFile(join(folder, file)))
    if (staged.kind === 'text') await writeFile(join(folder, file), staged.bytes)
  }
  const codes = await errorsOf(folder)
  const compiled = await compileEntry(folder, 'index.html').then(
    () => '',
    (thrown: Error) => thrown.message,
  )
  for (const [file, bytes] of texts) await writeFile(join(folder, file), bytes)
  return { codes: codes.sort(), compiled }
}

/** Makes the files that a project refers to and that its tests make. */
const makeMissing = async (folder: string) => {
  for (const { message } of await lintComposition(folder, 'index.html')) {
    const [, file] = /refers to the file "([^".][^"]*)", which does not exist/.exec(message) ?? []
    if (file === undefined) continue
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), '')
  }
}

const close = (one: number | null, other: number | null) =>
  one === other || Math.abs((one ?? Number.NaN) - (other ?? Number.NaN)) < 1e-6

/** Tries one operation: it is refused with a reason, or what it makes is valid and has the expected times. */
const tryOperation = async (
  folder: string,
  edit: EditSession,
  { operation, window }: Trial,
  index: number,
  before: Awaited<ReturnType<typeof problemsOf>>,
) => {
  try {
    await edit.stage([operation], { who: TESTER })
  } catch (thrown) {
    if (!isVidError(thrown) || !thrown.code.startsWith('VID_EDIT_')) throw thrown
    expect(thrown.message).not.toBe('')
    return thrown.code
  }
  const label = JSON.stringify(operation)
  const { codes, compiled } = await problemsOf(folder, edit)
  expect(compiled, label).toBe(before.compiled)
  for (const code of new Set(codes))
    expect(codes.filter((one) => one === code).length, `${label} ${code}`).toBeLessThanOrEqual(
      before.codes.filter((one) => one === code).length + (operation.op === 'media' ? 1 : 0),
    )
  if (window) {
    const clip = (await edit.clips())[index]
    expect(
      [close(clip?.start ?? null, window[0]), close(clip?.end ?? null, window[1])],
      `${label}: ${clip?.start}–${clip?.end}, expected ${window}`,
    ).toEqual([true, true])
  }
  edit.discard()
  return 'edited'
}

test.each(compositions)(
  'each operation on %s is valid with the expected times, or refused with a reason',
  { timeout: 240_000 },
  async (composition) => {
    const folder = await makeProject({})
    await cp(join(ROOT, composition), folder, { recursive: true })
    await makeMissing(folder)
    const edit = await openEdit(folder)
    const before = await problemsOf(folder, edit)
    const clips = await edit.clips()
    const outcomes = new Map<string, number>()
    // The first of each tag, and the last one: more of a kind show nothing else.
    const chosen = clips
      .map((clip, index) => ({ clip, index }))
      .filter(
        ({ clip, index }) =>
          index === clips.length - 1 ||
          clips.findIndex((other) => other.element.split(' ')[0] === clip.element.split(' ')[0]) === index,
      )
    for (const { clip, index } of chosen) {
      const { attributes } = await edit.inspect(clip.address)
      for (const trial of trialsOf(clip, attributes)) {
        const outcome = `${trial.operation.op} ${await tryOperation(folder, edit, trial, index, before)}`
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      }
    }
    for (const operation of [{ op: 'size', width: 64, height: 64 }])
      expect(await tryOperation(folder, edit, { operation }, 0, before)).toBe('edited')
    if (chosen.length > 0)
      expect([...outcomes.keys()].filter((outcome) => outcome.endsWith('edited')).length).toBeGreaterThan(2)
  },
)
