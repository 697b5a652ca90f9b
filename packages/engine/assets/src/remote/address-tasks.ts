import { readTasksOf } from '@vid/kernel'
import { addressesIn, declaredAddresses } from './declared-addresses.ts'

/**
 * Addresses, each between line breaks: a request for one searches the text, since a set of as many as strangers may
 * name takes long to pass between threads.
 */
export type AddressText = string

/** Longest such text; what a project names beyond it is not declared. */
const MAX_LENGTH = 2 ** 25

const define = readTasksOf(import.meta.url)

const textOf = (addresses: Iterable<string>): AddressText => {
  const lines: string[] = []
  let length = 1
  for (const address of addresses) {
    length += address.length + 1
    if (length > MAX_LENGTH) break
    lines.push(address)
  }
  return `\n${lines.join('\n')}\n`
}

/** A project, and the variables of its render. */
interface ProjectInput {
  readonly entry: string
  /** Absolute folder. */
  readonly projectDir: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** Finds the addresses that stand in variables, since who gives them declares them, or in the texts of a project. */
export const projectAddressesTask = define('projectAddressesTask', async ({ projectDir, variables }: ProjectInput) =>
  textOf(new Set([...addressesIn(JSON.stringify(variables)), ...(await declaredAddresses(projectDir))])),
)

/** A fetched text. */
interface FetchedText {
  readonly entry: string
  readonly body: Uint8Array
  readonly url: string
}

/** Finds the addresses that a fetched text names. */
export const linkedAddressesTask = define('linkedAddressesTask', async ({ body, url }: FetchedText) =>
  textOf(addressesIn(new TextDecoder().decode(body), url)),
)
