import { stat } from 'node:fs/promises'
import { captionFormats } from '@vid/captions'
import { defineTranscriber, Type, withDefault } from '@vid/kernel'
import {
  callService,
  failSpeech,
  fileBody,
  MAX_TRANSCRIPT_BYTES,
  multipart,
  readText,
  readTranscript,
  serviceOptions,
} from '@vid/speech/service'

/** Transcribes by an HTTP service, which answers in any format of `vid captions import`. */
export default defineTranscriber({
  name: '@vid/transcriber-http',
  options: Type.Object({
    ...serviceOptions,
    /** How the sound is sent: as a file of a form, or alone. */
    body: withDefault(Type.Union([Type.Literal('form'), Type.Literal('sound')]), 'form'),
    /** Fields of the form besides the file, such as the model. */
    fields: withDefault(Type.Record(Type.String(), Type.String()), {}),
    fileField: withDefault(Type.String(), 'file'),
    /** Field of the form, or of the address where the sound is sent alone, for the language that is asked for. */
    languageField: withDefault(Type.String(), 'language'),
    /** The longest sound that is sent; a minute has 1,920,000 bytes. */
    maxUploadBytes: withDefault(Type.Integer({ minimum: 1 }), 512 * 1024 * 1024),
    /** Format of the transcript; by default, its content decides. */
    format: Type.Optional(Type.Union(captionFormats.map((format) => Type.Literal(format)))),
  }),
  async transcribe({ file, language }, { options, signal }) {
    const { body, fields, fileField, languageField, maxUploadBytes, format } = options
    const { size: bytes } = await stat(file)
    if (bytes > maxUploadBytes) throw failSpeech('VID_SPEECH_SERVICE_LARGE', { bytes, maxBytes: maxUploadBytes })
    const spoken = language === undefined ? {} : { [languageField]: language }
    const sound = { field: fileField, path: file, bytes, name: 'sound.wav', type: 'audio/wav' }
    const isForm = body === 'form'
    const place = isForm ? options : { ...options, query: { ...options.query, ...spoken } }
    const content = isForm ? multipart({ ...fields, ...spoken }, sound) : fileBody(sound)
    return callService(
      place,
      content,
      async (reply, connection) =>
        readTranscript(await readText(reply.body, connection, MAX_TRANSCRIPT_BYTES), connection.url, format),
      signal,
    )
  },
})
