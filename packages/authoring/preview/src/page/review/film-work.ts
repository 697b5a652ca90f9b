import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import { failureOf, sendJson } from '../state/server.ts'
import { filmKey, restingFilm } from './idle.ts'

/** A reply about the film, and the film that it is about. */
interface Answer<T> {
  readonly key: string
  readonly reply: T
}

/** Work of the server on the whole film, which is asked for again whenever the film is another one. */
export interface FilmWork<T> {
  /** The last reply, also while it is out of date; null before the first. */
  readonly reply: ReadonlySignal<T | null>
  /** Whether the reply is about the film that is shown. */
  readonly isCurrent: ReadonlySignal<boolean>
  readonly isWorking: ReadonlySignal<boolean>
  /** Why there was no reply; empty after one. */
  readonly error: ReadonlySignal<string>
  /** Asks at once, whatever is known. */
  start(): void
  forget(): void
  /** Asks whenever the film has rested; called once. */
  follow(): void
}

/** What work on a film is asked for by. */
export interface FilmWorkOptions {
  readonly path: string
  /** Reads the body of the request; null while there is nothing to ask for. */
  readonly body: () => object | null
  /** Whether it is asked for without a press of a button. */
  readonly isAutomatic: () => boolean
}

/** Creates one kind of work on the film. */
export const createFilmWork = <T>({ path, body, isAutomatic }: FilmWorkOptions): FilmWork<T> => {
  const latest = signal<Answer<T> | null>(null)
  const failure = signal('')
  const isWorking = signal(false)
  const isWanted = signal(false)
  const keyOf = (requested: object | null) => `${filmKey.value} ${JSON.stringify(requested)}`
  const isCurrent = computed(() => latest.value?.key === keyOf(body()))

  const ask = async (requested: object, key: string, stop: AbortSignal) => {
    isWorking.value = true
    failure.value = ''
    try {
      latest.value = { key, reply: await sendJson<T>(path, requested, stop) }
      isWanted.value = false
    } catch (thrown) {
      if (stop.aborted) return
      failure.value = failureOf(thrown).message
      isWanted.value = false
    } finally {
      if (!stop.aborted) isWorking.value = false
    }
  }
  return {
    reply: computed(() => latest.value?.reply ?? null),
    isCurrent,
    isWorking,
    error: failure,
    start() {
      latest.value = null
      isWanted.value = true
    },
    forget() {
      latest.value = null
      failure.value = ''
    },
    follow() {
      effect(() => {
        const requested = body()
        const isDue = isWanted.value || isAutomatic()
        const isResting = restingFilm.value !== null && restingFilm.value === filmKey.value
        if (!requested || !isDue || !isResting) return undefined
        const key = keyOf(requested)
        if (latest.peek()?.key === key) return undefined
        const stop = new AbortController()
        void ask(requested, key, stop.signal)
        return () => {
          stop.abort()
          isWorking.value = false
        }
      })
    },
  }
}
