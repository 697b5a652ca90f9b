import { openEventStream } from '@vid/server'
import { API } from '../api.ts'
import { operation } from './operation.ts'
import type { RouteParts } from './parts.ts'

/** Adds the stream of events; it ends with the preview. */
export const addEventRoutes = ({ app, listen, revision, unwatched, signal }: RouteParts): void => {
  app.get(API.events, { schema: operation('follow') }, async (request, reply) => {
    const stream = openEventStream(request, reply)
    const stop = listen((event) => stream.send(event, event.type === 'job' ? { replaces: `job ${event.job.id}` } : {}))
    const end = () => void stream.close()
    signal.addEventListener('abort', end, { once: true })
    stream.gone.addEventListener('abort', () => {
      stop()
      signal.removeEventListener('abort', end)
    })
    stream.send({ type: 'hello', revision: revision(), unwatched: unwatched() })
    return reply
  })
}
