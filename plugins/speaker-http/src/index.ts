import { defineSpeaker, Type, withDefault } from '@vid/kernel'
import { callService, serviceOptions } from '@vid/speech/service'
import { fillText } from './fill-text.ts'
import { receiveSpeech } from './receive-speech.ts'

/** Speaks by an HTTP service, which answers with a sound, or with JSON that has a sound and the times of characters. */
export default defineSpeaker({
  name: '@vid/speaker-http',
  options: Type.Object({
    ...serviceOptions,
    /** JSON that is sent; `{text}` and `{language}` in its texts are filled in. */
    body: withDefault(Type.Record(Type.String(), Type.Unknown()), { text: '{text}' }),
    /** Value of `{language}` where none is asked for. */
    language: withDefault(Type.String(), ''),
  }),
  async speak({ text, path, language }, { options, signal }) {
    const content = JSON.stringify(fillText(options.body, { text, language: language ?? options.language }))
    const headers = { 'content-type': 'application/json' }
    return callService(
      options,
      { headers, content },
      (reply, { url, errors }) => receiveSpeech(reply, { url, errors }, path),
      signal,
    )
  },
})
