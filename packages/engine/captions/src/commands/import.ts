import { defineCommand } from '@vid/command'
import { cuesText } from './cues-text.ts'
import { captionsImportOptions } from './options.ts'

/** `vid captions import <file>`. */
export const captionsImportCommand = defineCommand({
  path: 'captions import',
  summary: 'Turn captions or a transcript into a WebVTT file of the project.',
  details:
    'Reads WebVTT, SRT, ASS, and the JSON of whisper, whisper.cpp, faster-whisper, WhisperX, Amazon Transcribe, Google Speech-to-Text, Deepgram, AssemblyAI, Azure Speech and ElevenLabs. The times of words are kept.',
  arguments: [{ name: 'file', path: 'read' }],
  options: captionsImportOptions,
  examples: [
    ['Subtitles of a talk', 'vid captions import talk.srt'],
    ['The words that whisper heard', 'vid captions import talk.json -o captions/talk.en.vtt --language en'],
    ['From a pipe, half a second later', 'vid captions import /dev/stdin --offset 0.5 -o talk.vtt'],
  ],
  run: async (run) => (await import('./run-import.ts')).runCaptionsImport(run),
  tool: { title: 'Import captions or a transcript', effect: 'changes' },
  text: ({ file, format, encoding, cues, words, end }) => ({
    lines: file,
    after: `${cuesText(cues)} from ${format}${encoding === 'utf-8' ? '' : `, read as ${encoding}`}${words > 0 ? `, ${words} words with times` : ''}, to ${end} s`,
  }),
})
