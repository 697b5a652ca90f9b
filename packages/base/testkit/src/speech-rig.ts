import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SpeechContext, TimedWord } from '@vid/kernel'
import { expect, test } from 'vitest'
import { scratchFolder } from './rig.ts'
import { children, expectChildren, type SuiteOptions, stopsInTime } from './suite.ts'
import { wavOf } from './wav.ts'

/** What a plugin for speech is tried with besides its contract. */
export interface SpeechSuiteOptions extends SuiteOptions {
  /**
   * For a plugin that waits for something outside: creates options with which that never answers; `reached` resolves
   * once it was asked.
   */
  endless?(): Promise<{ readonly options: Readonly<Record<string, unknown>>; readonly reached: Promise<unknown> }>
  /** Options with which what it asks fails, by what is wrong; each must be an error with a code and a hint. */
  readonly broken?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Texts that no error may contain, such as a token of the options. */
  readonly secrets?: readonly string[]
}

/** A folder with a sound of two seconds as transcribers get it: half a second of silence, then a tone. */
export const speechSound = async (): Promise<string> => {
  const file = join(await scratchFolder(), 'sound.wav')
  const signal = (time: number) => (time < 0.5 ? 0 : 0.5 * Math.sin(2 * Math.PI * 440 * time))
  await writeFile(file, wavOf(signal, { seconds: 2, rate: 16_000 }))
  return file
}

/** What a plugin is called with, with an empty work folder. */
export const speechContext = async <O>(options: O, signal: AbortSignal): Promise<SpeechContext<O>> => {
  const workDir = join(await scratchFolder(), 'work')
  await mkdir(workDir)
  return { options, signal, workDir }
}

/** Checks words: each is a part of the text, in its order, with times that do not go back. */
export const expectWordsOf = (text: string, words: readonly TimedWord[]): void => {
  let offset = 0
  let before = 0
  for (const { text: word, start, end } of words) {
    const index = text.indexOf(word, offset)
    expect(index, `"${word}" in "${text}"`).toBeGreaterThanOrEqual(offset)
    offset = index + word.length
    expect(start, `start of "${word}"`).toBeGreaterThanOrEqual(before)
    expect(end, `end of "${word}"`).toBeGreaterThanOrEqual(start)
    before = start
  }
}

/** A call of the plugin under test with more options; resolves to the files that it has made where it may. */
export type SpeechAttempt = (
  options: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => Promise<{ readonly outcome: Promise<unknown>; files(): Promise<readonly string[]> }>

/** The rules of both roles for failures and for aborts. */
export const testSpeechFailures = (
  { endless, broken = {}, secrets = [] }: SpeechSuiteOptions,
  attempt: SpeechAttempt,
): void => {
  test('does nothing for a signal that is aborted already', async () => {
    const { outcome, files } = await attempt({}, AbortSignal.abort(new Error('enough')))
    await expect(stopsInTime(outcome)).rejects.not.toThrow(/did not stop/)
    expect(await files()).toEqual([])
  })

  for (const [problem, options] of Object.entries(broken))
    test(`reports ${problem} with its own coded error, and leaves no process`, async () => {
      const before = children()
      const { outcome } = await attempt(options, new AbortController().signal)
      const thrown = await outcome.then(
        () => 'it has answered',
        (cause: unknown) => cause,
      )
      expect(thrown).toMatchObject({
        code: expect.stringMatching(/^VID_(?!PLUGIN_FAILED)/),
        hint: expect.stringMatching(/\.$/),
      })
      const { message, hint, stack } = thrown as Error & { hint: string }
      for (const secret of secrets) expect([message, hint, stack].join('\n')).not.toContain(secret)
      await expectChildren(before)
    })

  if (endless)
    test('stops on an abort and leaves no process', async () => {
      const before = children()
      const stop = new AbortController()
      const { options, reached } = await endless()
      const { outcome } = await attempt(options, stop.signal)
      const thrown = outcome.then(
        () => 'it has answered',
        (cause: Error) => cause.message,
      )
      await Promise.race([reached, outcome])
      stop.abort(new Error('enough'))
      expect(await stopsInTime(thrown)).toBe('enough')
      await expectChildren(before)
    })
}
