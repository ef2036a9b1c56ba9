export { type Deliver, emitEvents, onDelivery, payloadOf } from './store.ts'
