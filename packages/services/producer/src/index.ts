export { createProducer, type Producer, type ProducerOptions } from './create-producer.ts'
export { producerErrors } from './errors.ts'
