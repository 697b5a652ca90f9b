import { cuesText } from '@vid/captions/commands'
import { defineCommand } from '@vid/command'
import { speakOptions } from './options.ts'

/** `vid captions speak <file>`. */
export const speakCommand = defineCommand({
  path: 'captions speak',
  summary: 'Write a text as sound with captions, with the speaker of the config.',
  details:
    'The speaker is a plugin: @vid/speaker-command runs a program such as piper, @vid/speaker-http calls a service. Its answer is kept by the digest of the text. Where the speaker has no times of words, they are estimated by their length.',
  arguments: [{ name: 'file', path: 'read' }],
  options: speakOptions,
  examples: [
    ['A text, with captions', 'vid captions speak intro.txt'],
    ['From a pipe', 'echo "Hello" | vid captions speak /dev/stdin -o assets/hello.wav'],
  ],
  run: async (run) => (await import('./run-speak.ts')).runSpeak(run),
  text: ({ file, captions, plugin, cues, seconds, kept, estimated }) => ({
    lines: [file, captions],
    after: `${seconds} s and ${cuesText(cues)} from ${plugin}${kept ? ', kept from an earlier call' : ''}${estimated ? '; the times of words are estimated' : ''}`,
  }),
})
