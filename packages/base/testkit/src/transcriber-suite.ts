import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectWordsOf, type SpeechSuiteOptions, speechContext, speechSound, testSpeechFailures } from './speech-rig.ts'
import { filesUnder, type MakePlugin, maker, stopsInTime, testOptions } from './suite.ts'

/** Seconds of the sound that transcribers are tried with. */
const SECONDS = 2

/** Tests a transcriber against its contract. */
export const transcriberSuite = (makePlugin: MakePlugin<'transcriber'>, suite: SpeechSuiteOptions) => {
  const make = maker(makePlugin, suite)
  const transcribe = async (file: string, language?: string) => {
    const plugin = make()
    const job = { file, ...(language !== undefined && { language }) }
    return plugin.transcribe(job, await speechContext(plugin.options, new AbortController().signal))
  }

  describe(`transcriber ${make().name}`, () => {
    testOptions(make)

    test('answers with cues by start, inside of the sound', async () => {
      const { cues, language } = await transcribe(await speechSound())
      expect(cues.length).toBeGreaterThan(0)
      let before = 0
      for (const { text, start, end } of cues) {
        expect(text.trim()).not.toBe('')
        expect(start).toBeGreaterThanOrEqual(before)
        expect(end).toBeGreaterThan(start)
        expect(end).toBeLessThanOrEqual(SECONDS + 1)
        before = start
      }
      if (language !== undefined) expect(language).toMatch(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/)
    })

    test('answers with words that are the text of their cues, in their order', async () => {
      const { cues } = await transcribe(await speechSound(), 'en')
      for (const { text, words = [] } of cues) expectWordsOf(text, words)
    })

    test('leaves the sound as it is, and nothing beside it', async () => {
      const file = await speechSound()
      const bytes = await readFile(file)
      await transcribe(file)
      expect((await readFile(file)).equals(bytes)).toBe(true)
      expect(await filesUnder(dirname(file))).toEqual(['sound.wav'])
    })

    test('names what answers in the same way while nothing changes', async () => {
      const plugin = make()
      const build = async () => plugin.build?.(await speechContext(plugin.options, new AbortController().signal))
      expect(await stopsInTime(build())).toBe(await build())
    })

    testSpeechFailures(suite, async (options, signal) => {
      const plugin = make(options)
      const context = await speechContext(plugin.options, signal)
      const file = await speechSound()
      const outcome = (async () => plugin.transcribe({ file }, context))()
      return { outcome, files: () => filesUnder(context.workDir) }
    })
  })
}
