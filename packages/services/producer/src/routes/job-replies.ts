import type { ProducerEvent } from '@vid/client/contract'
import { noteCode, openEventStream, type ReplyText } from '@vid/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServerJob } from '../requests/job.ts'
import { cancelled } from '../requests/work.ts'

const CANCELLED_STATUS = 499
const STOPPING_STATUS = 503
const STOPPING_RETRY_SECONDS = 5

/** Events of which a slow client needs only the latest. */
const replaceable = ({ type }: ProducerEvent) => (type === 'progress' || type === 'queued' ? { replaces: type } : {})

/** Streams a job's events until the last; calls `onGone` if the client disconnects first. */
export const streamJob = (job: ServerJob, request: FastifyRequest, reply: FastifyReply, onGone: () => void): void => {
  const stream = openEventStream(request, reply)
  stream.gone.addEventListener('abort', onGone, { once: true })
  if (stream.gone.aborted) onGone()
  const stop = job.listen((event) => stream.send(event, replaceable(event)))
  void job.ended.then(() => {
    stop()
    return stream.close()
  })
}

/** Replies with the outcome of a job; cancels the job if the client disconnects. */
export const replyWithEnd = async (
  job: ServerJob,
  clientGoneSignal: AbortSignal,
  reply: FastifyReply,
  replyText: ReplyText,
): Promise<FastifyReply> => {
  const cancel = () => job.cancel(cancelled())
  clientGoneSignal.addEventListener('abort', cancel, { once: true })
  if (clientGoneSignal.aborted) cancel()
  const ending = await job.ended
  if (ending.status === 'completed') return reply.send(ending.result)
  const { requestId } = job.accepted
  const [status, error] =
    ending.status === 'failed'
      ? [ending.httpStatus, ending.error]
      : [CANCELLED_STATUS, replyText.replyError(cancelled())]
  noteCode(reply.raw, error.code)
  if (status === STOPPING_STATUS) reply.header('retry-after', STOPPING_RETRY_SECONDS)
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({ success: false, requestId, error })
}

/** Whether the client wants a reply as soon as its request is accepted (RFC 7240). */
export const wantsNoWaiting = ({ headers }: FastifyRequest): boolean =>
  String(headers.prefer ?? '')
    .split(',')
    .some((preference) => preference.trim().toLowerCase() === 'respond-async')
