import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CommandRun, OptionTable } from '@vid/command'
import { exitCodeOf } from '@vid/protocol'
import { codedError, type ForwardedRequest, renderRequest } from '@vid/render'
import { digestFile } from '@vid/system'
import { checkOrder, type Order, type OrderResult, SEGMENTS_FOLDER, WORK_DIR } from '../../order.ts'

/** SHA-256 (hex) of a file; null for a folder. */
const digestOf = async (path: string, signal: AbortSignal): Promise<string | null> => {
  return (await stat(path)).isFile() ? digestFile(path, signal) : null
}

const readOrder = async (path: string): Promise<Order> => {
  const text = await readFile(path, 'utf8').catch((cause: Error) => cause)
  return checkOrder(path, text)
}

const forwarded = ({ request, config, preset, cache, fresh, network }: Order, paths: readonly string[]) =>
  ({
    request,
    paths,
    cache,
    fresh,
    network,
    storeDir: SEGMENTS_FOLDER,
    ...(preset !== undefined && { preset }),
    configDir: config === undefined ? WORK_DIR : dirname(config),
  }) satisfies ForwardedRequest

/** Aborts when the process outside has ended, which closes its end of this process's standard input. */
const whileWatched = ({ stdin, signal }: Pick<CommandRun, 'stdin' | 'signal'>): AbortSignal => {
  const hangUp = new AbortController()
  const leave = () => hangUp.abort(new Error('the process outside has ended'))
  stdin.once('end', leave).once('close', leave).once('error', leave)
  stdin.resume()
  return AbortSignal.any([signal, hangUp.signal])
}

/** `vid container inside`: renders an order, writing each event as a line of JSON; resolves to the exit code. */
export const runContainerInside = async (run: CommandRun<OptionTable, { readonly order: string }>) => {
  // The process outside reads these lines: they are the result, in whatever way results are shown.
  const write = (line: object) => run.report.result(JSON.stringify(line))
  const signal = whileWatched(run)
  try {
    const order = await readOrder(run.arguments.order)
    const paths = order.names.map((name) => join(WORK_DIR, 'out', name))
    const result = await renderRequest(forwarded(order, paths), { signal, onEvent: write })
    const digests = await Promise.all(paths.map((path) => digestOf(path, signal)))
    const { frames, durationMs, warnings, timings = [] } = result
    write({
      type: 'order-complete',
      digests,
      frames,
      durationMs,
      warnings,
      timings,
    } satisfies OrderResult)
    return { code: 0 }
  } catch (thrown) {
    const error = codedError(thrown, signal)
    write({ type: 'order-error', error: error.toJSON() })
    return { code: exitCodeOf(error) }
  }
}
