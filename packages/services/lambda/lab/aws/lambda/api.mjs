// The HTTP API of Lambda.
import { readBody, serviceError } from '../service.mjs'

const PATH =
  /^\/(?<date>\d{4}-\d{2}-\d{2})\/functions(?:\/(?<name>[^/]+)(?:\/(?<part>code|configuration|concurrency|invocations|versions))?)?\/?$/

const VERSIONS_OF_A_PAGE = 50

/** Whether a request is one for Lambda. */
export const isLambda = (url) => PATH.test(new URL(url, 'http://any').pathname)

/**
 * Answers a request: `[status, value or bytes, headers]`.
 * @param {ReturnType<typeof import('./functions.mjs').createFunctions>} functions
 * @param {import('node:http').IncomingMessage} request
 */
export const answerLambda = async (functions, request) => {
  const { pathname, searchParams } = new URL(request.url, 'http://any')
  const { name: encoded = '', part } = PATH.exec(pathname)?.groups ?? {}
  const qualifier = searchParams.get('Qualifier')
  const name = `${decodeURIComponent(encoded)}${qualifier === null ? '' : `:${qualifier}`}`
  const body = await readBody(request)
  const input = () => (body.length > 0 ? JSON.parse(body.toString()) : {})
  const route = `${request.method} ${encoded ? 'one' : 'all'} ${part ?? ''}`.trim()
  switch (route) {
    case 'POST all':
      return [201, await functions.create(input())]
    case 'GET one':
      return [200, functions.get(name)]
    case 'GET one configuration':
      return [200, functions.get(name).Configuration]
    case 'DELETE one':
      await functions.remove(name)
      return [204]
    case 'POST one versions':
      return [201, functions.publish(name, input())]
    case 'GET one versions': {
      const first = Number(searchParams.get('Marker') ?? 0)
      const all = functions.versions(name)
      const more = first + VERSIONS_OF_A_PAGE < all.length
      const Versions = all.slice(first, first + VERSIONS_OF_A_PAGE)
      return [200, { Versions, ...(more && { NextMarker: String(first + VERSIONS_OF_A_PAGE) }) }]
    }
    case 'PUT one code':
      return [200, await functions.updateCode(name, input())]
    case 'PUT one configuration':
      return [200, functions.updateConfiguration(name, input())]
    case 'PUT one concurrency':
      functions.reserve(name, input().ReservedConcurrentExecutions)
      return [200, input()]
    case 'DELETE one concurrency':
      functions.reserve(name, undefined)
      return [204]
    case 'POST one invocations': {
      const type = request.headers['x-amz-invocation-type'] ?? 'RequestResponse'
      if (type !== 'RequestResponse')
        throw serviceError('InvalidParameterValueException', `Invocations of the type ${type} are not here`)
      const { payload, functionError, version } = await functions.invoke(
        name,
        body.length > 0 ? body : Buffer.from('{}'),
      )
      return [
        200,
        payload,
        {
          'x-amz-executed-version': version,
          ...(functionError && { 'x-amz-function-error': functionError }),
        },
      ]
    }
    default:
      throw serviceError('UnknownOperationException', `${request.method} ${pathname} is not here`, 404)
  }
}
