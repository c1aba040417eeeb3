package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// Run serves the connections of a listener until ctx ends, and closes it. Then it accepts no more,
// waits at most Options.Drain for the requests in progress, and returns nil; an error says that
// some were cut off, or why the listener could not serve. With Options.Poll it checks the files of
// the models. No goroutine outlives it.
func (s *Server) Run(ctx context.Context, l net.Listener) error {
	o := &s.options
	server := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: o.ReadHeaderTimeout,
		ReadTimeout:       o.ReadTimeout,
		WriteTimeout:      o.WriteTimeout,
		IdleTimeout:       o.IdleTimeout,
		MaxHeaderBytes:    16 << 10,
		ConnContext:       bounded,
		HTTP2:             &http.HTTP2Config{MaxReceiveBufferPerConnection: buffered},
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	scheme := "http"
	if o.CertFile != "" {
		server.TLSConfig = s.secrets.config()
		l, scheme = tls.NewListener(l, server.TLSConfig), "https"
	}
	var background sync.WaitGroup
	ctx, cancel := context.WithCancel(ctx)
	defer background.Wait()
	defer cancel()
	if o.Poll > 0 {
		background.Go(func() { s.poll(ctx) })
	}
	drained := make(chan error, 1)
	background.Go(func() {
		<-ctx.Done()
		drained <- s.drain(server)
	})
	s.log.Info("serving", "address", scheme+"://"+l.Addr().String(), "models", s.names)
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	err := <-drained
	s.log.Info("ended")
	return err
}

// buffered is how many bytes of a connection the system may hold on each way, which no
// budget counts.
const buffered = 256 << 10

// bounded bounds the buffers of a connection.
func bounded(ctx context.Context, c net.Conn) context.Context {
	if secure, is := c.(*tls.Conn); is {
		c = secure.NetConn()
	}
	if tcp, is := c.(*net.TCPConn); is {
		tcp.SetReadBuffer(buffered) // of a connection that has ended already this fails
		tcp.SetWriteBuffer(buffered)
	}
	return ctx
}

// drain ends the server, at the latest when its time is over.
func (s *Server) drain(server *http.Server) error {
	s.draining.Store(true)
	s.log.Info("draining", "for", s.options.Drain)
	ctx, cancel := context.WithTimeout(context.Background(), s.options.Drain)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		server.Close()
		err = fmt.Errorf("requests were cut off: they did not end within %v", s.options.Drain)
		s.log.Warn("drained", "error", err)
		return err
	}
	return nil
}

// poll looks at the files again and again.
func (s *Server) poll(ctx context.Context) {
	ticker := time.NewTicker(s.options.Poll)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			s.reloadChanged()
		case <-ctx.Done():
			return
		}
	}
}
