// The history of an execution: numbered events, each with the one that led to it.

/** Most events of a history; an execution that reaches it fails. */
export const MAX_EVENTS = 25_000

const lowerFirst = (text) => text.charAt(0).toLowerCase() + text.slice(1)

/** Name of the member that holds the details of a type of event. */
const detailsOf = (type) => {
  if (/StateEntered$/.test(type)) return 'stateEnteredEventDetails'
  if (/StateExited$/.test(type)) return 'stateExitedEventDetails'
  return `${lowerFirst(type)}EventDetails`
}

/**
 * Starts a history; `onFull` is called when it has no room for more than its end.
 * @param {() => void} onFull
 */
export const createHistory = (onFull) => {
  const events = []
  let isClosed = false
  /** Adds an event and returns its number. */
  const add = (previousEventId, type, details) => {
    if (isClosed || events.length >= MAX_EVENTS) return events.length
    const id = events.length + 1
    events.push({
      timestamp: Date.now() / 1000,
      type,
      id,
      previousEventId,
      ...(details && { [detailsOf(type)]: details }),
    })
    if (id === MAX_EVENTS - 1) onFull()
    return id
  }
  /** A run of events, each of which leads to the next one. */
  const chain = (first) => {
    let last = first
    const next = (type, details) => {
      last = add(last, type, details)
      return last
    }
    return { next, last: () => last, fork: () => chain(last) }
  }
  /** Writes the last event; nothing follows it. */
  const end = (type, details) => {
    add(events.length, type, details)
    isClosed = true
  }
  return { events, chain: () => chain(0), end }
}
