import { openEventStream } from '@vid/server'
import { API, type PreviewEvent } from '../api.ts'
import { operation } from './operation.ts'
import type { PreviewParts } from './parts.ts'

/** What is no longer worth sending once this event waits. */
const replacedBy = (event: PreviewEvent) => {
  if (event.type === 'checking') return { replaces: `checking ${event.entry}` }
  if (event.type === 'job') return { replaces: `job ${event.job.id}` }
  if (event.type === 'comments') return { replaces: 'comments' }
  return event.type === 'edit' ? { replaces: `edit ${event.entry}` } : {}
}

/** Adds the stream of events; it ends with the preview. */
export const addEventRoutes = ({ app, listen, revision, unwatched, signal }: PreviewParts): void => {
  app.get(API.events, { schema: operation('follow') }, async (request, reply) => {
    const stream = openEventStream(request, reply)
    const stop = listen((event) => stream.send(event, replacedBy(event)))
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
