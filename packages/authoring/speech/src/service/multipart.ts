import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { fileBytes } from '@vid/client/connection'
import type { ServiceBody } from './call-service.ts'

/** A file in a form. */
export interface FormFile {
  /** Name of its field. */
  readonly field: string
  readonly path: string
  readonly bytes: number
  readonly name: string
  /** MIME type. */
  readonly type: string
}

/** A name or value in a header of a part, as browsers write it. */
const quoted = (text: string): string =>
  `"${text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}"`

/** A file alone. */
export const fileBody = ({ path, bytes, type }: FormFile): ServiceBody => ({
  headers: { 'content-type': type, 'content-length': `${bytes}` },
  content: () => Readable.from(fileBytes(path, () => {})),
})

/** A form of fields and a file, as `multipart/form-data`; the file is read while it is sent. */
export const multipart = (fields: Readonly<Record<string, string>>, file: FormFile): ServiceBody => {
  const boundary = `vid-${randomUUID()}`
  const begin = (name: string) => `--${boundary}\r\nContent-Disposition: form-data; name=${quoted(name)}`
  const texts = Object.entries(fields).map(([name, value]) => `${begin(name)}\r\n\r\n${value}\r\n`)
  const fileHead = `${begin(file.field)}; filename=${quoted(file.name)}\r\nContent-Type: ${file.type}\r\n\r\n`
  const head = Buffer.from(texts.join('') + fileHead)
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const parts = async function* () {
    yield head
    yield* fileBytes(file.path, () => {})
    yield tail
  }
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': `${head.length + file.bytes + tail.length}`,
    },
    content: () => Readable.from(parts()),
  }
}
