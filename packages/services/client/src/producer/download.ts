import type { ProducerResult } from '../contract/index.ts'
import { fail } from '../errors.ts'
import type { Connection } from '../http/exchange.ts'
import { downloadFile } from '../http/file-download.ts'
import { badReply } from '../http/replies.ts'

/** A file of the server as described in its replies. */
export type ProducerOutput = Pick<ProducerResult, 'outputUrl' | 'fileSize' | 'digest'>

/** Pattern of valid file addresses: a reply must not lead to another host. */
const ADDRESS = /^\/outputs\/[\w-]{1,200}$/

/**
 * Downloads a file to a path, resuming after broken connections; it appears once it is complete and its digest matches.
 */
export const download = async (
  connection: Connection,
  { outputUrl, fileSize, digest }: ProducerOutput,
  path: string,
  signal: AbortSignal,
): Promise<void> => {
  const { url } = connection
  if (outputUrl === null || digest === null) throw fail('VID_PRODUCER_OUTPUT_ELSEWHERE', { url })
  if (!ADDRESS.test(outputUrl)) throw badReply(connection, 'the address of a file is not one of its own outputs')
  const place = { connection, path: outputUrl }
  await downloadFile(place, { bytes: fileSize, digest }, path, signal, { entityTag: `"${digest}"` })
}
