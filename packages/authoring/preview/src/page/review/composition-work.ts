import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import { failureOf, sendJson } from '../state/server.ts'
import { compositionKey, restingKey } from './idle.ts'

/** A reply about the composition, and the composition that it is about. */
interface Answer<T> {
  readonly key: string
  readonly reply: T
}

/** Work of the server on the whole composition, which is asked for again whenever the composition is another one. */
export interface CompositionWork<T> {
  /** The last reply, also while it is out of date; null before the first. */
  readonly reply: ReadonlySignal<T | null>
  /** Whether the reply is about the composition that is shown. */
  readonly isCurrent: ReadonlySignal<boolean>
  readonly isWorking: ReadonlySignal<boolean>
  /** Why there was no reply; empty after one. */
  readonly error: ReadonlySignal<string>
  /** Asks at once, whatever is known. */
  start(): void
  forget(): void
  /** Asks whenever the composition has rested; called once. */
  follow(): void
}

/** What work on a composition is asked for by. */
export interface CompositionWorkOptions {
  readonly path: string
  /** Reads the body of the request; null while there is nothing to ask for. */
  readonly body: () => object | null
  /** Whether it is asked for without a press of a button. */
  readonly isAutomatic: () => boolean
}

/** Creates one kind of work on the composition. */
export const createCompositionWork = <T>({ path, body, isAutomatic }: CompositionWorkOptions): CompositionWork<T> => {
  const latest = signal<Answer<T> | null>(null)
  const failure = signal('')
  const isWorking = signal(false)
  const isWanted = signal(false)
  const keyOf = (requested: object | null) => `${compositionKey.value} ${JSON.stringify(requested)}`
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
        const isResting = restingKey.value !== null && restingKey.value === compositionKey.value
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
