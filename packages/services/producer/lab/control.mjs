// A server that does nothing but answer: what it takes is the machine's share of the times of health.mjs.
import { createServer } from 'node:http'

const server = createServer((_request, response) => response.end('{}'))
server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`))
process.on('disconnect', () => process.exit())
