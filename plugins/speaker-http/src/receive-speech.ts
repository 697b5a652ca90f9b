import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type SpokenText, Type } from '@vid/kernel'
import { badReply, parseReply, type Reply, readText, type ServiceConnection } from '@vid/speech/service'
import { type Alignment, timedWords } from './timed-words.ts'

/** The most bytes of a sound: more than an hour without compression. */
const MAX_SOUND_BYTES = 512 * 1024 * 1024

const Times = Type.Array(Type.Number({ minimum: 0 }))

const SpeechSchema = Type.Object({
  audio_base64: Type.String({ minLength: 1 }),
  alignment: Type.Optional(
    Type.Union([
      Type.Object({
        characters: Type.Array(Type.String()),
        character_start_times_seconds: Times,
        character_end_times_seconds: Times,
      }),
      Type.Null(),
    ]),
  ),
})

type Server = Pick<ServiceConnection, 'url' | 'errors'>

async function* limited(body: AsyncIterable<Uint8Array>, server: Server): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > MAX_SOUND_BYTES) throw badReply(server, `its sound has more than ${MAX_SOUND_BYTES} bytes`)
    yield chunk
  }
}

/** Writes the sound of a reply to a path; resolves to the times of words where the reply has them. */
export const receiveSpeech = async (reply: Reply, server: Server, path: string): Promise<SpokenText> => {
  if (!String(reply.headers['content-type']).startsWith('application/json')) {
    await pipeline(Readable.from(limited(reply.body, server)), createWriteStream(path))
    return {}
  }
  const text = await readText(reply.body, server, MAX_SOUND_BYTES)
  const { audio_base64, alignment } = parseReply<{ audio_base64: string; alignment?: Alignment | null }>(
    SpeechSchema,
    text,
    server,
  )
  await writeFile(path, Buffer.from(audio_base64, 'base64'))
  return alignment ? { words: timedWords(alignment) } : {}
}
