import { cuesText } from '@vid/captions/commands'
import { defineCommand } from '@vid/command'
import { transcribeOptions } from './options.ts'

/** `vid captions transcribe <file>`. */
export const transcribeCommand = defineCommand({
  path: 'captions transcribe',
  summary: 'Write what is spoken in a sound or video as captions, with the transcriber of the config.',
  details:
    'The transcriber is a plugin: @vid/transcriber-command runs a program such as whisper-cli, @vid/transcriber-http calls a service. Its answer is kept by the digest of the sound, so that the same call takes no time again.',
  arguments: [{ name: 'file', path: 'read' }],
  options: transcribeOptions,
  examples: [
    ['The words of a talk', 'vid captions transcribe talk.mp4'],
    ['In German, as SRT', 'vid captions transcribe talk.mp3 --language de -o talk.srt'],
  ],
  run: async (run) => (await import('./run-transcribe.ts')).runTranscribe(run),
  text: ({ file, plugin, cues, words, kept }) => ({
    lines: file,
    after: `${cuesText(cues)} from ${plugin}${kept ? ', kept from an earlier call' : ''}${words > 0 ? `, ${words} words with times` : ''}`,
  }),
})
