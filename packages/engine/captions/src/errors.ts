import { defineErrors, type ErrorTable } from '@vid/protocol'

/** Errors of reading and writing captions. */
export const captionsErrors = {
  VID_CAPTIONS_BROKEN: (f: { file: string; place: string; reason: string }) => ({
    message: `The captions of "${f.file}" cannot be read: ${f.place}: ${f.reason}.`,
    hint: 'Correct the file at that place, or export it again.',
    fault: 'caller',
  }),
  VID_CAPTIONS_FORMAT: (f: { file: string; formats: string }) => ({
    message: `The format of "${f.file}" is not one of captions or transcripts that vid reads.`,
    hint: `Convert it to WebVTT or SRT, or name its format with --format: ${f.formats}.`,
    fault: 'caller',
  }),
  VID_CAPTIONS_FILE: (f: { file: string; reason: string }) => ({
    message: `"${f.file}" cannot be read: ${f.reason}.`,
    hint: 'Give a file of captions or a transcript, or /dev/stdin for a pipe.',
    fault: 'caller',
  }),
  VID_CAPTIONS_ENCODING: (f: { file: string }) => ({
    message: `"${f.file}" is not encoded as UTF-8, UTF-16 or Windows-1252.`,
    hint: 'Save it as UTF-8, or convert it, as with iconv -f CP1251 -t UTF-8 for a text in Russian.',
    fault: 'caller',
  }),
  VID_CAPTIONS_EXISTS: (f: { file: string }) => ({
    message: `"${f.file}" exists already.`,
    hint: 'Give another path with -o, or --force to replace it.',
    fault: 'caller',
  }),
  VID_CAPTIONS_OUTPUT: (f: { file: string }) => ({
    message: `The captions cannot be written to "${f.file}": its ending is neither .vtt nor .srt.`,
    hint: 'Give a path that ends with .vtt or .srt with -o.',
    fault: 'caller',
  }),
  VID_CAPTIONS_TRACK: (f: { src: string }) => ({
    message: `The captions "${f.src}" of a <track> cannot be read.`,
    hint: 'Correct its src, or import the file with vid captions import.',
    fault: 'caller',
  }),
  VID_CAPTIONS_NONE: (f: { entry: string }) => ({
    message: `The composition "${f.entry}" has no <track> with captions or subtitles.`,
    hint: 'Add <track kind="captions" src="talk.vtt"> to it, or leave out --captions.',
    fault: 'caller',
  }),
  VID_CAPTIONS_VIDEO: (f: { file: string }) => ({
    message: `"${f.file}" cannot get text tracks: it is neither an mp4 nor a mov nor a webm.`,
    hint: 'Give such a video with --into, or write the captions beside it with -o.',
    fault: 'caller',
  }),
  VID_CAPTIONS_UNWRITABLE: (f: { file: string; reason: string }) => ({
    message: `The captions cannot be written to "${f.file}": ${f.reason}.`,
    hint: 'Give a path in a folder that exists and that you may write to with -o.',
    fault: 'machine',
  }),
} as const satisfies ErrorTable

export const fail = defineErrors(captionsErrors)
