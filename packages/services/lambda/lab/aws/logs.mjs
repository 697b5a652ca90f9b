// CloudWatch Logs, as far as reading the lines of a function goes.
import { createHash } from 'node:crypto'
import { serviceError } from './service.mjs'

const MAX_LINES = 200_000

/** Groups with their lines in memory, the oldest given up. */
export const createLogs = () => {
  const groups = new Map()
  const lines = (group) => {
    const entry = groups.get(group)
    if (!entry) throw serviceError('ResourceNotFoundException', 'The specified log group does not exist.')
    return entry
  }
  const write = (group, stream, message) => {
    if (!groups.has(group)) groups.set(group, [])
    const all = groups.get(group)
    const timestamp = Date.now()
    const eventId = createHash('sha256').update(`${stream}${all.length}`).digest('hex')
    all.push({ logStreamName: stream, timestamp, ingestionTime: timestamp, message: `${message}\n`, eventId })
    if (all.length > MAX_LINES) all.splice(0, MAX_LINES / 10)
  }
  /** Whether a line has the text of a filter: a word, or a text in quotes. */
  const matches = (pattern) => {
    if (!pattern) return () => true
    const [, quoted] = /^"(.*)"$/s.exec(pattern) ?? []
    const words = quoted === undefined ? pattern.split(/\s+/).map((word) => word.replaceAll('"', '')) : [quoted]
    const isAny = words.every((word) => word.startsWith('?'))
    if (isAny) return ({ message }) => words.some((word) => message.includes(word.slice(1)))
    return ({ message }) => words.every((word) => message.includes(word))
  }
  const filter = ({
    logGroupName,
    filterPattern,
    startTime = 0,
    endTime = Number.POSITIVE_INFINITY,
    limit = 10_000,
    nextToken,
    logStreamNames,
  }) => {
    const events = lines(logGroupName)
      .filter(({ timestamp }) => timestamp >= startTime && timestamp <= endTime)
      .filter(({ logStreamName }) => !logStreamNames || logStreamNames.includes(logStreamName))
      .filter(matches(filterPattern))
    const first = Number(nextToken ?? 0)
    const next = first + limit < events.length ? { nextToken: String(first + limit) } : {}
    return { events: events.slice(first, first + limit), searchedLogStreams: [], ...next }
  }
  const operations = {
    FilterLogEvents: filter,
    GetLogEvents: ({ logGroupName, logStreamName, limit = 10_000 }) => ({
      events: lines(logGroupName)
        .filter((line) => line.logStreamName === logStreamName)
        .slice(0, limit),
    }),
    DescribeLogGroups: ({ logGroupNamePrefix = '' }) => ({
      logGroups: [...groups.keys()]
        .filter((name) => name.startsWith(logGroupNamePrefix))
        .map((logGroupName) => ({ logGroupName })),
    }),
    DescribeLogStreams: ({ logGroupName }) => ({
      logStreams: [...new Set(lines(logGroupName).map(({ logStreamName }) => logStreamName))].map((logStreamName) => ({
        logStreamName,
      })),
    }),
  }
  return {
    write,
    create: (group) => {
      if (!groups.has(group)) groups.set(group, [])
    },
    remove: (group) => groups.delete(group),
    all: () => [...groups.values()].flat(),
    api: (name, input) => {
      const operation = operations[name]
      if (!operation) throw serviceError('UnknownOperationException', `${name} is not here`)
      return operation(input)
    },
  }
}
