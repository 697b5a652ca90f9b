import { PAGE_HOST, type PageMethods, type PageObjectMethods } from '@vid/runtime'
import type { Ahead, CapturePage } from './page.ts'

/** A call of the page that has JSON arguments and a JSON result. */
export type PageMethod = keyof PageMethods

/** The arguments of a call of the page. */
export type PageArguments<K extends PageMethod> = Parameters<PageMethods[K]>

/** The result of a call of the page. */
export type PageResult<K extends PageMethod> = Awaited<ReturnType<PageMethods[K]>>

/** How a call is described when it fails or takes too long. */
export interface CallReport {
  readonly doing: string
  /** Set for a call that is sent before the page has answered earlier ones. */
  readonly ahead?: Ahead
}

type Page = Pick<CapturePage, 'evaluate'>

const expressionOf = (method: string, args: readonly unknown[]): string =>
  `${PAGE_HOST}.${method}(${args.map((argument) => JSON.stringify(argument)).join(',')})`

/** Calls the page, its arguments and its result as JSON. */
export const callPage = async <K extends PageMethod>(
  page: Page,
  { doing, ahead }: CallReport,
  method: K,
  ...args: PageArguments<K>
): Promise<PageResult<K>> => (await page.evaluate(expressionOf(method, args), doing, ahead)) as PageResult<K>

/** A handle to an object of the page. */
export interface PageHandle {
  readonly objectId: string
}

/** The arguments of a call, with handles in place of objects. */
type WithHandles<A extends readonly unknown[]> = {
  readonly [I in keyof A]: A[I] extends string ? string : PageHandle
}

/** The calls that return an object of the page. */
type ObjectGetter = 'videoElement' | 'spareVideo'

/**
 * Calls a function of the page that returns an object; undefined if it returns none. The handle lasts as long as its
 * group.
 */
export const callForHandle = async <K extends ObjectGetter>(
  page: Pick<CapturePage, 'send'>,
  objectGroup: string,
  method: K,
  ...args: Parameters<PageObjectMethods[K]>
): Promise<PageHandle | undefined> => {
  const expression = expressionOf(method, args)
  const { result } = await page.send('Runtime.evaluate', { expression, objectGroup })
  return result.objectId === undefined ? undefined : { objectId: result.objectId }
}

/** Calls the page with handles of its objects as arguments; `owner` is any of its objects. */
export const callWithHandles = async <K extends keyof PageObjectMethods>(
  page: Pick<CapturePage, 'send'>,
  owner: PageHandle,
  method: K,
  ...args: WithHandles<Parameters<PageObjectMethods[K]>>
): Promise<ReturnType<PageObjectMethods[K]>> => {
  const values: readonly (string | PageHandle)[] = args
  const { result } = await page.send('Runtime.callFunctionOn', {
    objectId: owner.objectId,
    functionDeclaration: `function (...args) { return ${PAGE_HOST}.${method}(...args) }`,
    arguments: values.map((value) => (typeof value === 'string' ? { value } : value)),
    returnByValue: true,
  })
  return result.value as ReturnType<PageObjectMethods[K]>
}
