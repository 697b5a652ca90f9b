import { expect, test } from 'vitest'
import { speeches } from '../fixtures/speeches.ts'
import { transcriptKinds } from '../fixtures/transcripts.ts'
import { captionFormats, moveCaptions, readCaptions, writeSrt, writeVtt } from '../index.ts'

const FILES = transcriptKinds.flatMap((kind) =>
  speeches.map((speech) => [kind.name, speech.script, { kind, speech }] as const),
)

test.each(FILES)(
  'a transcript of %s in %s is read with the times of its words, and written without loss',
  (...file) => {
    const { kind, speech } = file[2]
    const { format, captions } = readCaptions({ file: 'talk.json', text: JSON.stringify(kind.write(speech)) })
    expect(format).toBe(kind.format)
    expect(captions.language).toBe(kind.language(speech.language))
    expect(captions.cues).toEqual([
      {
        start: speech.words[0]?.start,
        end: speech.words.at(-1)?.end,
        text: speech.text,
        words: kind.words?.(speech) ?? speech.words,
        ...(kind.speaker !== undefined && { speaker: kind.speaker }),
      },
    ])
    const vtt = readCaptions({ file: 'talk.vtt', text: writeVtt(captions) })
    expect(vtt).toEqual({ format: 'vtt', captions })
    const srt = readCaptions({ file: 'talk.srt', text: writeSrt(captions) })
    expect(srt.captions.cues).toEqual(captions.cues.map(({ start, end, text }) => ({ start, end, text })))
    expect(moveCaptions(moveCaptions(captions, 1.5), -1.5)).toEqual(captions)
  },
)

test('every format that is listed is read by a test', () => {
  const tested = new Set(['vtt', 'srt', 'ass', ...transcriptKinds.map(({ format }) => format)])
  expect([...tested].sort()).toEqual([...captionFormats].sort())
})
