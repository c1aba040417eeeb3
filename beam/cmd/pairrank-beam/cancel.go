package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
)

// cancelWait is how long an interrupted program tries to cancel its job.
const cancelWait = 10 * time.Second

// cancelJob cancels the job of this run on its job server, found by name: Beam leaves it running
// when the submitter stops waiting.
func cancelJob() error {
	if *jobopts.Endpoint == "" {
		return errors.New("no job server is known, so that the job is not cancelled: do so where it runs")
	}
	ctx, stop := context.WithTimeout(context.Background(), cancelWait)
	defer stop()
	connection, err := grpcx.Dial(ctx, *jobopts.Endpoint, cancelWait)
	if err != nil {
		return fmt.Errorf("the job is not cancelled: %w", err)
	}
	defer connection.Close()
	client := jobpb.NewJobServiceClient(connection)
	jobs, err := client.GetJobs(ctx, &jobpb.GetJobsRequest{})
	if err != nil {
		return fmt.Errorf("the job is not cancelled: %w", err)
	}
	of := slices.IndexFunc(jobs.GetJobInfo(), func(j *jobpb.JobInfo) bool { return j.GetJobName() == *jobopts.JobName })
	if of < 0 {
		return nil // it has not begun
	}
	if _, err := client.Cancel(ctx, &jobpb.CancelJobRequest{JobId: jobs.JobInfo[of].GetJobId()}); err != nil {
		return fmt.Errorf("the job is not cancelled: %w", err)
	}
	return nil
}
