import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { scratchFolder } from './rig.ts'
import { expectWordsOf, type SpeechSuiteOptions, speechContext, testSpeechFailures } from './speech-rig.ts'
import { filesUnder, type MakePlugin, maker, stopsInTime, testOptions } from './suite.ts'

const TEXT = 'Hello there, this is a test.'

/** Tests a speaker against its contract. */
export const speakerSuite = (makePlugin: MakePlugin<'speaker'>, suite: SpeechSuiteOptions) => {
  const make = maker(makePlugin, suite)
  const speak = async (text: string) => {
    const plugin = make()
    const path = join(await scratchFolder(), 'speech.wav')
    const spoken = await plugin.speak({ text, path }, await speechContext(plugin.options, new AbortController().signal))
    return { path, spoken }
  }

  describe(`speaker ${make().name}`, () => {
    testOptions(make)

    test('writes a sound at its path, and nothing beside it', async () => {
      const { path } = await speak(TEXT)
      expect((await stat(path)).size).toBeGreaterThan(0)
      expect(await filesUnder(dirname(path))).toEqual(['speech.wav'])
    })

    test('answers with words of the text in their order, or with none', async () => {
      const { spoken } = await speak(TEXT)
      if (spoken.words) {
        expect(spoken.words.length).toBeGreaterThan(0)
        expectWordsOf(TEXT, spoken.words)
      }
    })

    test('speaks a text that looks like options, and one of several scripts', async () => {
      for (const text of ['--help $(rm -rf x) "quoted"', 'Grüße, 東京, שלום 👋'])
        expect((await stat((await speak(text)).path)).size).toBeGreaterThan(0)
    })

    test('names what answers in the same way while nothing changes', async () => {
      const plugin = make()
      const build = async () => plugin.build?.(await speechContext(plugin.options, new AbortController().signal))
      expect(await stopsInTime(build())).toBe(await build())
    })

    testSpeechFailures(suite, async (options, signal) => {
      const plugin = make(options)
      const folder = await scratchFolder()
      const context = await speechContext(plugin.options, signal)
      const outcome = (async () => plugin.speak({ text: TEXT, path: join(folder, 'speech.wav') }, context))()
      return { outcome, files: () => filesUnder(folder) }
    })
  })
}
