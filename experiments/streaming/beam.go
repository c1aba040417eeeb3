package main

import "context"

func (s *settings) beamed(ctx context.Context, parts []string) ([]trained, error) { return nil, nil }
