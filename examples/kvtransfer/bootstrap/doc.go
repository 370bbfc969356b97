// Package bootstrap is where the two sides find each other: prefill ranks register their addresses, decode ranks ask for them.
//
// [Server] is an http.Handler with the routes of SGLang's bootstrap server:
//
//	PUT  /route             a rank registers; 200 OK
//	GET  /route             four -1: the engine's shape; else one rank's address; 400, 404, or 503 until all ranks are there
//	POST /register_dp_rank  prefill notes which data-parallel rank has a room
//	POST /query_dp_ranks    decode asks for it
//	GET  /health            200 OK
//
// It differs in two points. Ranks are counted once however often they register, so that a rank which restarts before all
// others are there does not make the engine look complete. And a rank that contradicts the shape the first one gave is refused with 409
// instead of being filed under a shape that is not its own.
//
// [Client] speaks to one server, [Directory] is what a decode rank keeps of several: cached answers, and one fetch at a
// time per server, at a pace, for all requests that wait for it.
package bootstrap
